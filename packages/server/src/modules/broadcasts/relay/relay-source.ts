import { randomUUID } from 'node:crypto'
import { parseAddress } from '@siarin/contracts/parse-address'
import { relayProbeArgs } from '@siarin/media/argv/relay'
import { type Playlist, readPlaylist } from '@siarin/media/parse/playlist'
import { type Probe, parseProbe } from '@siarin/media/parse/probe'
import { withHeight } from '@siarin/media/proxied-address'
import { exceedsLimits, type PictureLimits, type RelayPlan, relayPlan } from '@siarin/media/relay-plan'
import { Secret } from '@siarin/media/secret'
import type { Egress } from '../../../platform/egress/egress.ts'
import { readerMemoryBytes } from '../../../platform/process/limited-tool.ts'
import { runBounded } from '../../../platform/process/run-bounded.ts'
import { nextStep } from '../../../platform/small-steps.ts'
import { createTurnsAside } from '../../../platform/turns-aside.ts'
import { SourceAwayError } from '../sequence/source-errors.ts'

export interface SourceStatus {
  /** What ffmpeg is to read. */
  readonly url: Secret
  readonly ended: boolean
  /** Changes whenever the source adds something. */
  readonly mark: string
}

interface RelaySourceDeps {
  egress: Pick<Egress, 'open'>
  ffprobePath: string
  proxyUrl: () => Promise<string>
}

const PLAYLIST_MAX_BYTES = 512 * 1024
const INSPECT_TIMEOUT_MS = 4_000
/** Somebody else's source must not make the machine look busy: see machine-load. */
const PROBE = { timeoutMs: 12_000, maxBytes: 200_000, priority: 'waited-for' } as const

/**
 * Sources that are on air are probed two at a time, the owners in turn: nobody waits for it, and each probe takes memory and fetches segments. A
 * source that is slow on purpose leaves its turn to those of others.
 */
const GROWTH_LOOKS = { atOnce: 2, slowMs: 3_000, mostSlow: 4, mostWaiting: 1_000, mostWaitingEach: 100 }

export type RelaySource = ReturnType<typeof createRelaySource>

/** Looks at an online source before ffmpeg does: whether it is there, whether it advances, and what it holds. */
export function createRelaySource({ egress, ffprobePath, proxyUrl }: RelaySourceDeps) {
  /** `at`: where it was found in the end, which is where its relative addresses begin. */
  async function playlistAt(url: URL, signal: AbortSignal, maxHeight?: number): Promise<Playlist & { at: URL }> {
    const { body, url: at } = await egress.open(url, { signal, idleMs: INSPECT_TIMEOUT_MS })
    let text = ''
    for await (const chunk of body.setEncoding('utf8')) {
      text += chunk
      if (text.length > PLAYLIST_MAX_BYTES) break
    }
    body.destroy()
    // Servers may let many playlists end at one moment, and each takes some milliseconds.
    await nextStep(signal)
    const playlist = text.length > PLAYLIST_MAX_BYTES ? null : readPlaylist(text, maxHeight)
    if (!playlist) throw new SourceAwayError('the source is no playlist')
    return { ...playlist, at }
  }

  async function probe(url: Secret): Promise<Probe | null> {
    const args = relayProbeArgs(url, { proxy: await proxyUrl(), share: `probe-${randomUUID()}` })
    const { code, stdout } = await runBounded(ffprobePath, args, { ...PROBE, memoryBytes: readerMemoryBytes() })
    return code === 0 ? parseProbe(stdout) : null
  }

  const planOf = (probed: Probe | null, limits?: PictureLimits): RelayPlan => {
    const plan = probed && relayPlan(probed, limits)
    if (!plan) throw new SourceAwayError('the source holds nothing that can be sent')
    return plan
  }

  return {
    /** Takes the best of several variants, up to `maxHeight` lines. */
    async inspect(url: URL, maxHeight?: number): Promise<SourceStatus> {
      const signal = AbortSignal.timeout(INSPECT_TIMEOUT_MS)
      try {
        const found = await playlistAt(url, signal, maxHeight)
        if (found.kind === 'media') return { url: new Secret(url.href), ended: found.ended, mark: found.mark }
        const variant = parseAddress(found.variant, found.at)
        if (!variant) throw new SourceAwayError('the variants of the source lead nowhere')
        const media = await playlistAt(variant, signal)
        if (media.kind !== 'media') throw new SourceAwayError('the variants of the source lead nowhere')
        const read = found.soundApart ? withHeight(url.href, maxHeight) : variant.href
        return { url: new Secret(read), ended: media.ended, mark: media.mark }
      } catch (error) {
        throw error instanceof SourceAwayError
          ? error
          : new SourceAwayError('the source cannot be read', { cause: error })
      }
    },

    /** Takes some seconds: segments are fetched. */
    plan: async (url: Secret, limits?: PictureLimits): Promise<RelayPlan> => planOf(await probe(url), limits),

    /** How a source is to be sent that has grown past the limits; null: it has not. */
    async planIfGrown(url: Secret, limits: PictureLimits): Promise<RelayPlan | null> {
      const probed = await probe(url)
      const plan = planOf(probed, limits)
      return probed?.video && exceedsLimits(probed.video, limits) ? plan : null
    },

    /** For looks at sources that are on air. */
    inTurn: createTurnsAside(GROWTH_LOOKS),
  }
}
