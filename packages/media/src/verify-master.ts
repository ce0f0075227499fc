import { areEven, rateOf } from './frame-rate.ts'
import type { KeyframeFacts } from './parse/keyframes.ts'
import type { Probe } from './parse/probe.ts'
import { readiness } from './readiness.ts'

const ROUNDING_SECONDS = 0.001

/** What is wrong with a master that was made; nothing when it can be looped. `keyframes` are of the whole file. */
export function verifyMaster(probe: Probe, keyframes: KeyframeFacts | null): string[] {
  const found = readiness(probe, keyframes)
  const faults: string[] = found.kind === 'ready' ? [] : [found.why].flat()
  // What was copied has been judged, what was made has the bitrate that was asked for.
  const starts = [probe.video?.startSeconds, probe.audio?.startSeconds]
  return [
    ...faults
      // Silence has packets of one size: of a file that we wrote, each of them is there.
      .filter((fault) => fault !== 'picture-too-dense' && fault !== 'idle-packets')
      .filter((fault) => fault !== 'variable-frame-rate' || !isEven(probe, keyframes)),
    ...(starts.some((start) => start != null && Math.abs(start) > ROUNDING_SECONDS) ? ['start'] : []),
    ...(probe.formatName?.split(',').includes('mp4') ? [] : ['container']),
  ]
}

/**
 * A picture copied from Matroska or FLV keeps their milliseconds, from which ffprobe guesses any rate. The packets show
 * whether it is even; how long a step may be, readiness has looked at.
 */
function isEven({ video }: Probe, keyframes: KeyframeFacts | null): boolean {
  const average = rateOf(video?.avgFrameRate ?? null)
  return average !== null && areEven(keyframes, average)
}
