import { readFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import os from 'node:os'

/**
 * Loaded into the real program before anything else: its clock is as far ahead of the machine's as a file of the test's says. A second
 * number, where there is one, says how much of that is time that has passed on every clock; the rest was set by somebody.
 */
const LOOK_EVERY_MS = 20
const real = { now: Date.now, uptime: os.uptime }
const read = () => readFileSync(process.env['TEST_CLOCK_FILE'], 'utf8').split(' ').map(Number)
let [aheadMs, passedMs = 0] = read()
setInterval(() => {
  ;[aheadMs, passedMs = 0] = read()
}, LOOK_EVERY_MS).unref()
Date.now = () => real.now() + aheadMs
os.uptime = () => real.uptime() + passedMs / 1000
syncBuiltinESMExports()
