import { readFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import os from 'node:os'

/**
 * Loaded into the real program before anything else: so much time has passed as a file of the test's says, on every clock that the
 * program has. Unlike moved-clock.mjs nobody has set anything.
 */
const LOOK_EVERY_MS = 20
const real = { now: Date.now, uptime: os.uptime }
const read = () => Number(readFileSync(process.env['TEST_CLOCK_FILE'], 'utf8'))
let aheadMs = read()
/** Time that has passed has passed: a clock that the test sets back is set back by somebody. */
let passedMs = aheadMs
setInterval(() => {
  aheadMs = read()
  passedMs = Math.max(passedMs, aheadMs)
}, LOOK_EVERY_MS).unref()
Date.now = () => real.now() + aheadMs
os.uptime = () => real.uptime() + passedMs / 1000
syncBuiltinESMExports()
