import { VIDEO_TEXTS } from '@siarin/contracts/texts'
import { probeArgs } from '@siarin/media/argv/probe'
import { type Probe, parseProbe } from '@siarin/media/parse/probe'
import { isCopyable } from '@siarin/media/readiness'
import { DomainError, OperationalError } from '../../errors.ts'
import { runBounded } from '../../platform/process/run-bounded.ts'

const PROBE_LIMITS = { timeoutMs: 30_000, maxBytes: 1_000_000 }

export type ProbeVideo = (path: string) => Promise<Probe>

/** Judges a file by its content, never by its name; what cannot go on air is refused with the reason. */
export const createVideoProbe =
  (ffprobePath: string): ProbeVideo =>
  async (path) => {
    const run = await runBounded(ffprobePath, probeArgs(path), PROBE_LIMITS).catch((error) => {
      throw new OperationalError('ffprobe could not be run', { cause: error })
    })
    const probe = run.code === 0 ? parseProbe(run.stdout) : null
    if (!probe) throw new DomainError('video_unusable', VIDEO_TEXTS.unreadable)
    if (!probe.video) throw new DomainError('video_unusable', VIDEO_TEXTS.noVideo)
    if (!isCopyable(probe)) throw new DomainError('video_unusable', VIDEO_TEXTS.notStreamable)
    return probe
  }
