import { syncBuiltinESMExports } from 'node:module'
import os from 'node:os'

const { setPriority } = os

/** As usual-priority.mjs does it for a program apart: what a program in this process prepares does not wait for browsers. */
export function ignorePriorities(): void {
  os.setPriority = () => {}
  syncBuiltinESMExports()
}

/** For who looks at them; answers how to ignore them again. */
export function heedPriorities(): () => void {
  os.setPriority = setPriority
  syncBuiltinESMExports()
  return ignorePriorities
}
