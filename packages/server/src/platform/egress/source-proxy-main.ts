import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { processBirth } from '../process/detached.ts'
import { createGuard } from './guard.ts'
import { createProxyServer } from './source-proxy-server.ts'
import { PROXY_RULES, type ProxyOrder, type ProxyState, STATE_FILE } from './source-proxy-state.ts'

/**
 * The proxy as a process of its own: a relay's ffmpeg outlives a kill of the program, and so must what it reads through. It ends
 * by itself when nobody has been connected to it for long, be it a program or an ffmpeg.
 */
const [orderText = '', directory = ''] = process.argv.slice(2)
const order = JSON.parse(orderText) as ProxyOrder
const stateFile = join(directory, STATE_FILE)
const server = createProxyServer(createGuard(order.settings))

function end(): void {
  try {
    const { pid } = JSON.parse(readFileSync(stateFile, 'utf8')) as ProxyState
    if (pid === process.pid) rmSync(directory, { recursive: true })
  } catch {
    // Another one has its place already, or somebody has cleared it away.
  }
  process.exit(0)
}

let connected = 0
let lonely = setTimeout(end, order.lingerMs)
server.on('connection', (socket) => {
  connected++
  clearTimeout(lonely)
  socket.once('close', () => {
    connected--
    if (connected === 0) lonely = setTimeout(end, order.lingerMs)
  })
})

server.listen({ port: order.port, host: '127.0.0.1' }, () => {
  const { port } = server.address() as AddressInfo
  const state: ProxyState = {
    pid: process.pid,
    birth: processBirth(process.pid) ?? '',
    port,
    settings: order.settings,
    rules: PROXY_RULES,
  }
  // Whole or not at all: the program may look at any moment.
  writeFileSync(`${stateFile}.${process.pid}`, JSON.stringify(state), { mode: 0o600 })
  renameSync(`${stateFile}.${process.pid}`, stateFile)
})
process.on('SIGTERM', end)
