import { stat } from 'node:fs/promises'
import { thumbnailArgs } from '@siarin/media/argv/thumbnail'
import { runPreparation } from './run-preparation.ts'

interface ThumbnailOrder {
  readonly ffmpegPath: string
  readonly input: string
  readonly output: string
  readonly durationSeconds: number | null
  readonly signal: AbortSignal
}

/** One picture of a video that can be looped. */
const THUMBNAIL_MS = 60_000

/** Null where there is none: a missing picture is no reason to keep a video from going on air. */
export async function makeThumbnail(order: ThumbnailOrder): Promise<string | null> {
  const { ffmpegPath, input, output, durationSeconds, signal } = order
  const atSeconds = Math.min(3, (durationSeconds ?? 0) / 4)
  const args = thumbnailArgs({ input, atSeconds, output })
  const { ok } = await runPreparation(ffmpegPath, args, { signal, timeoutMs: THUMBNAIL_MS })
  return ok && (await stat(output).catch(() => null)) ? output : null
}
