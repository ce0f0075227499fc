// Loaded into the program by a test (`--import`), never in production. On the signal it writes down how much its event loop did at most in
// one turn since the signal before, in milliseconds of CPU: on a busy machine the clock would tell how long others were served.
import { writeFileSync } from 'node:fs'

const EVERY_MS = 5
const file = process.env['LOOP_PROBE_FILE'] ?? ''
let longestMs = 0
let mostBytes = 0
let before = process.threadCpuUsage()

setInterval(() => {
  const { user, system } = process.threadCpuUsage(before)
  before = process.threadCpuUsage()
  longestMs = Math.max(longestMs, (user + system) / 1000)
  mostBytes = Math.max(mostBytes, process.memoryUsage.rss())
}, EVERY_MS).unref()

process.on('SIGUSR2', () => {
  writeFileSync(file, JSON.stringify({ longestMs, mostMegabytes: Math.round(mostBytes / 1024 ** 2) }))
  longestMs = 0
  mostBytes = 0
})
