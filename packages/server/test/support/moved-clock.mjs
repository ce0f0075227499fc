import { readFileSync } from 'node:fs'

/** Loaded into the real program before anything else: its clock is as far ahead of the machine's as a file of the test's says. */
const LOOK_EVERY_MS = 20
const real = Date.now
const read = () => Number(readFileSync(process.env['TEST_CLOCK_FILE'], 'utf8'))
let aheadMs = read()
setInterval(() => {
  aheadMs = read()
}, LOOK_EVERY_MS).unref()
Date.now = () => real() + aheadMs
