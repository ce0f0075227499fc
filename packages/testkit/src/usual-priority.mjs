import { syncBuiltinESMExports } from 'node:module'
import os from 'node:os'

/**
 * Loaded into the real program before anything else. It gives what it prepares a low priority, which beside the browsers of other tests
 * means that a preparation of a second takes minutes, and a test waits for it. What gives way to what has tests of its own.
 */
os.setPriority = () => {}
syncBuiltinESMExports()
