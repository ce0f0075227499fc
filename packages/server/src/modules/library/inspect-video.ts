import { open } from 'node:fs/promises'
import { VIDEO_TEXTS } from '@siarin/contracts/texts'
import { probeArgs } from '@siarin/media/argv/probe'
import { type Probe, parseProbe, type VideoFacts } from '@siarin/media/parse/probe'
import { DomainError, OperationalError } from '../../errors.ts'
import { runBounded } from '../../platform/process/run-bounded.ts'

const PROBE_LIMITS = { timeoutMs: 30_000, maxBytes: 1_000_000 }
const SNIFF_BYTES = 512

export type UsableProbe = Probe & { video: VideoFacts }
export type InspectVideo = (path: string) => Promise<UsableProbe>

/** Judges a file by its content, never by its name; what can never go on air is refused with the reason. */
export const createInspector =
  (ffprobePath: string): InspectVideo =>
  async (path) => {
    const disguise = disguiseOf(await firstBytes(path))
    if (disguise) throw new DomainError('video_unusable', disguise)
    const run = await runBounded(ffprobePath, probeArgs(path), PROBE_LIMITS).catch((error) => {
      throw new OperationalError('ffprobe could not be run', { cause: error })
    })
    const probe = run.code === 0 ? parseProbe(run.stdout) : null
    if (!probe) {
      const truncated = /moov atom not found/i.test(run.stderr)
      throw new DomainError('video_unusable', truncated ? VIDEO_TEXTS.truncated : VIDEO_TEXTS.unreadable)
    }
    const { video } = probe
    if (!video) throw new DomainError('video_unusable', VIDEO_TEXTS.noVideo)
    return { ...probe, video }
  }

async function firstBytes(path: string): Promise<Buffer> {
  const handle = await open(path)
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(SNIFF_BYTES), 0, SNIFF_BYTES, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await handle.close()
  }
}

/** What ffprobe's white-list would refuse anyway, told apart so that the person reads what it is. */
function disguiseOf(bytes: Buffer): string | null {
  if (bytes.length === 0) return VIDEO_TEXTS.empty
  const latin = bytes.toString('latin1')
  if (/^\xff\xd8\xff|^\x89PNG|^GIF8|^BM.{4}\0{4}|^RIFF.{4}WEBP/s.test(latin)) return VIDEO_TEXTS.isImage
  if (/^(\xef\xbb\xbf)?\s*(#EXTM3U|ffconcat |\[playlist\]|<\?xml|<MPD)/i.test(latin)) return VIDEO_TEXTS.isPlaylist
  return null
}
