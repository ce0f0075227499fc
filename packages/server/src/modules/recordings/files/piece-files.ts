import { open, truncate } from 'node:fs/promises'
import { pieceProbeArgs } from '@siarin/media/argv/record'
import { z } from 'zod'
import { readerMemoryBytes } from '../../../platform/process/limited-tool.ts'
import { runBounded } from '../../../platform/process/run-bounded.ts'

/** MPEG-TS is a row of packets of this size, each of which begins with the same byte. */
const PACKET_BYTES = 188
const SYNC_BYTE = 0x47
const PROBE = { timeoutMs: 15_000, maxBytes: 20_000, priority: 'waited-for' } as const

const Probed = z.object({
  streams: z.array(z.object({ codec_type: z.string().optional() })),
  format: z.object({ duration: z.coerce.number().positive() }),
})

/** Whether a file begins and ends as ffmpeg leaves one. A full disk cuts it anywhere; a power cut may leave nothing, or zeros. */
export async function isWholePiece(path: string, bytes: number): Promise<boolean> {
  if (bytes === 0 || bytes % PACKET_BYTES !== 0) return false
  const file = await open(path)
  try {
    const byteAt = async (position: number) => (await file.read(Buffer.alloc(1), 0, 1, position)).buffer[0]
    return (await byteAt(0)) === SYNC_BYTE && (await byteAt(bytes - PACKET_BYTES)) === SYNC_BYTE
  } finally {
    await file.close()
  }
}

/** What of a torn piece can be played: cut to whole packets. Null: nothing. */
export async function salvagePiece(
  path: string,
  bytes: number,
  ffprobePath: string,
): Promise<{ bytes: number; ms: number } | null> {
  const whole = bytes - (bytes % PACKET_BYTES)
  if (whole === 0) return null
  if (whole !== bytes) await truncate(path, whole)
  const { code, stdout } = await runBounded(ffprobePath, pieceProbeArgs(path), {
    ...PROBE,
    memoryBytes: readerMemoryBytes(),
  })
  const { data } = Probed.safeParse(code === 0 ? asJson(stdout) : null)
  if (!data?.streams.some(({ codec_type }) => codec_type === 'video')) return null
  return { bytes: whole, ms: data.format.duration * 1000 }
}

function asJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
