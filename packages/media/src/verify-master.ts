import type { KeyframeFacts } from './parse/keyframes.ts'
import type { Probe } from './parse/probe.ts'
import { readiness } from './readiness.ts'

/** A stub that is mended below. */
export function verifyMaster(probe: Probe, keyframes: KeyframeFacts | null): string[] {
  const found = readiness(probe, keyframes)
  return found.kind === 'ready' ? [] : [found.why].flat()
}
