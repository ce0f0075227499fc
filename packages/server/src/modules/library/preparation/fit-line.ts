import { writeFile } from 'node:fs/promises'
import { measureArgs } from '@siarin/media/argv/logo'
import { type LineLook, lowerThirdSvg } from '@siarin/media/lower-third'
import { readerMemoryBytes } from '../../../platform/process/limited-tool.ts'
import { runBounded } from '../../../platform/process/run-bounded.ts'

interface Measuring {
  readonly ffmpegPath: string
  /** A file that may be overwritten. */
  readonly file: string
  readonly signal: AbortSignal
}

/** What runs past the picture is seen too, if not all of it: the next round sees more. */
const CANVASES = 4
const ROUNDS = 4
const LIMITS = { timeoutMs: 20_000, maxBytes: 64 * 1024, priority: 'low' } as const

/**
 * The size of the font at which the whole line stands in the picture. We count how wide letters are; which fonts a machine has for them, and
 * how wide those are, only a drawing tells.
 */
export async function fittingFontSize(text: string, look: LineLook, measuring: Measuring): Promise<number> {
  const room = look.size.width - 2 * look.gap
  let { fontSize } = look
  for (let round = 0; round < ROUNDS; round++) {
    const width = await drawnWidth(text, { ...look, fontSize }, measuring)
    if (width <= room) return fontSize
    // A little less, since letters keep to whole pixels.
    fontSize = Math.max(1, Math.floor(((fontSize * room) / width) * 9.9) / 10)
  }
  return fontSize
}

/** 0: nothing of it can be seen, or it could not be measured; the drawing itself says whether that is a fault. */
async function drawnWidth(text: string, look: LineLook, { ffmpegPath, file, signal }: Measuring): Promise<number> {
  const size = { width: look.size.width * CANVASES, height: look.size.height }
  await writeFile(file, lowerThirdSvg(text, { ...look, size, align: 'left', opacity: 0 }), { mode: 0o600 })
  const memoryBytes = readerMemoryBytes()
  const { stdout } = await runBounded(ffmpegPath, measureArgs(file, size), { ...LIMITS, memoryBytes, signal })
  return Number(/^lavfi\.bbox\.w=(\d+)$/m.exec(stdout)?.[1] ?? 0)
}
