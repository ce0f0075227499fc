import { rateOf } from './frame-rate.ts'
import type { KeyframeFacts } from './parse/keyframes.ts'
import type { Probe } from './parse/probe.ts'
import { readiness } from './readiness.ts'

/** One frame of AAC at 48 kHz is 21.3 ms: what a whole number of them may leave at the end, and a rounding. */
const MAX_GAP_SECONDS = 0.0224
const ROUNDING_SECONDS = 0.001

/** A picture copied from Matroska or FLV keeps their milliseconds: no rate fits exactly, and no loop suffers from it. */
const MAX_RATE_ERROR = 0.002

/** What is wrong with a master that was made; nothing when it can be looped. `keyframes` are of the whole file. */
export function verifyMaster(probe: Probe, keyframes: KeyframeFacts | null): string[] {
  const found = readiness(probe, keyframes, { maxAudioGapSeconds: MAX_GAP_SECONDS })
  const faults: string[] = found.kind === 'ready' ? [] : [found.why].flat()
  const starts = [probe.video?.startSeconds, probe.audio?.startSeconds]
  return [
    ...faults.filter((fault) => fault !== 'variable-frame-rate' || !isNearlySteady(probe)),
    ...(starts.some((start) => start != null && Math.abs(start) > ROUNDING_SECONDS) ? ['start'] : []),
    ...(probe.formatName?.split(',').includes('mp4') ? [] : ['container']),
  ]
}

function isNearlySteady({ video }: Probe): boolean {
  const average = rateOf(video?.avgFrameRate ?? null)
  const real = rateOf(video?.rFrameRate ?? null)
  return average !== null && real !== null && Math.abs(average - real) <= real * MAX_RATE_ERROR
}
