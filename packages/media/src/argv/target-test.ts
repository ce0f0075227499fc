import type { Secret } from '../secret.ts'
import { flvOutput } from './output.ts'

interface TargetTestPlan {
  readonly target: Secret
  /** The judged address behind its name; null: ffmpeg looks the name up itself. */
  readonly address: string | null
  readonly seconds: number
}

/** Small enough for any machine and line, and of a kind that every platform takes: H.264 with a key frame every two seconds, AAC. */
const PICTURE = 'testsrc2=size=640x360:rate=30'
const TONE = 'sine=frequency=440:sample_rate=44100'

/** A few seconds of a test picture with a quiet tone. It leaves us exactly as a broadcast does, and ends by itself. */
export const targetTestArgs = ({ target, address, seconds }: TargetTestPlan): string[] => [
  ...['-nostdin', '-hide_banner', '-nostats', '-loglevel', 'error'],
  ...['-re', '-f', 'lavfi', '-i', PICTURE],
  ...['-f', 'lavfi', '-i', TONE],
  ...['-t', String(seconds), '-map', '0:v', '-map', '1:a'],
  ...['-c:v', 'libx264', '-preset', 'ultrafast', '-tune', 'zerolatency', '-threads', '1'],
  ...['-pix_fmt', 'yuv420p', '-g', '60', '-b:v', '800k', '-maxrate', '800k', '-bufsize', '800k'],
  // One that startles nobody who has the channel open.
  ...['-af', 'volume=0.05', '-c:a', 'aac', '-b:a', '96k', '-ac', '2'],
  ...flvOutput({ target, address }),
]
