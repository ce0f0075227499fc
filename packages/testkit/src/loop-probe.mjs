import { subscribe } from 'node:diagnostics_channel'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { isMainThread } from 'node:worker_threads'

/**
 * Loaded into the real program before anything else (`--import`). It looks at the event loop every few milliseconds, and whenever a request
 * begins or is answered: the time between two looks is for how long one thing held the loop. What the machine gave to others meanwhile is not
 * the program's doing, so what counts is the CPU time that the main thread itself has used. A caller at LOOP_PROBE, a socket, gets the
 * longest since the last time, and the memory.
 */
const EVERY_MS = 5
const { LOOP_PROBE } = process.env

const threadMs = () => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/** The most memory since it was last asked; the kernel keeps count. */
function peakMb() {
  const [, kb = '0'] = /VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8')) ?? []
  writeFileSync('/proc/self/clear_refs', '5')
  return Number(kb) / 1024
}

if (isMainThread && LOOP_PROBE) {
  let longest = { cpuMs: 0, wallMs: 0 }
  let at = performance.now()
  let cpu = threadMs()
  const look = () => {
    const [now, cpuNow] = [performance.now(), threadMs()]
    const wallMs = Math.max(0, now - at - EVERY_MS)
    longest = { cpuMs: Math.max(longest.cpuMs, cpuNow - cpu), wallMs: Math.max(longest.wallMs, wallMs) }
    at = now
    cpu = cpuNow
  }
  setInterval(look, EVERY_MS).unref()
  // Sixty requests may come in one turn of the loop: each of them is looked at by itself.
  for (const name of ['http.server.request.start', 'http.server.response.finish']) subscribe(name, look)
  const server = createServer((_, response) => {
    response.end(JSON.stringify({ ...longest, peakMb: peakMb() }))
    longest = { cpuMs: 0, wallMs: 0 }
  })
  // The one before it may have been killed.
  rmSync(LOOP_PROBE, { force: true })
  server.listen(LOOP_PROBE)
  server.unref()
}
