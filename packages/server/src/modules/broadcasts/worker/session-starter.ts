import { setTimeout as sleep } from 'node:timers/promises'
import type { Secret } from '@siarin/media/secret'
import { createBoundedMap } from '../../../platform/bounded-map.ts'
import type { LastFound } from '../../../platform/egress/name-lookup.ts'
import type { Log } from '../../../platform/log.ts'
import type { ProcessStarter } from '../../../platform/process/spawner.ts'
import { startInTurns } from '../../../platform/process/start-in-turns.ts'
import type { Sealer } from '../../../platform/secrets/seal.ts'
import { programSteps } from '../../../platform/small-steps.ts'
import type { Storage } from '../../../platform/storage/storage.ts'
import type { BrandLooks } from '../../branding/brand-looks.ts'
import type { LibraryService } from '../../library/library.service.ts'
import type { PlansService } from '../../plans/index.ts'
import type { OnlineSources } from '../../platforms/index.ts'
import type { PlaylistsRepo } from '../../playlists/playlists.repo.ts'
import { heldBy } from '../keeper/held-clips.ts'
import type { Encoders } from '../relay/encoders.ts'
import { createRelay, onlineClip, type Relay } from '../relay/relay.ts'
import { createFindLogo } from '../relay/relay-logo.ts'
import type { RelaySource } from '../relay/relay-source.ts'
import {
  type BroadcastProcess,
  type BroadcastRun,
  type Recorder,
  type RelayRun,
  type Run,
  startBroadcast,
  startRelay,
} from '../sender/broadcast-process.ts'
import type { RunFolder, RunFolders } from '../sender/run-folders.ts'
import type { StartAttempt } from '../sender/start-attempt.ts'
import type { StartedBroadcast } from '../sender/started-broadcast.ts'
import { adoptedLoop } from '../sequence/adopted-loop.ts'
import { type ClipSequence, clipSequenceOf, type SequencePosition } from '../sequence/clip-sequence.ts'
import type { Clip, Clips } from '../sequence/clips.ts'
import { onlineRefOf } from '../spec/online-ref.ts'
import type { StreamRow, StreamsRepo } from '../store/streams.repo.ts'

export interface SessionStarterDeps {
  repo: Pick<StreamsRepo, 'byId' | 'playlistSeen' | 'isFirst'>
  playlists: Pick<PlaylistsRepo, 'contents'>
  clips: Clips
  library: Pick<LibraryService, 'hasOpenOrders' | 'findById'>
  sources: Pick<OnlineSources, 'locate'>
  relaySource: RelaySource
  encoders: Encoders
  plans: Pick<PlansService, 'libraryLimitsOf' | 'isOnTrial'>
  looks: Pick<BrandLooks, 'of'>
  storage: Storage
  sealer: Sealer
  log: Log
  /** Through which ffmpeg reads online sources. */
  proxyUrl: () => Promise<string>
  /** Where ffmpeg is to connect to; null: by the name of the target. */
  addressOf: (target: Secret, own: LastFound) => Promise<string | null>
  /** Where a session of this stream is written down; null: the disk does not answer, or too many sessions wait to be taken. */
  openRecorder: (streamId: string) => Promise<Recorder | null>
  processes: ProcessStarter
  ffmpegPath: string
  dataDir: string
  folders: RunFolders
}

type HowToSend = Pick<BroadcastRun, 'looping' | 'fromSeconds'> &
  Partial<Pick<BroadcastRun, 'place' | 'meanSeconds' | 'next'>>

/** The folder is chosen last. */
type RunToBe = Omit<Run, 'folder'>

/** Unless it is said otherwise. */
const ALONE = { place: null, meanSeconds: null, next: undefined }

/** Where the sessions of one broadcast come from. */
export interface SessionSource {
  readonly relay: Relay | null
  readonly sequence: ClipSequence
  start(position: SequencePosition, attempt: StartAttempt): Promise<StartedBroadcast>
  /**
   * What an ffmpeg that runs already plays, even if its file was taken away behind our back. `hurry`: nobody waits any more for a file that has to
   * come from a store.
   */
  playingNow(process: BroadcastProcess, hurry: AbortSignal): Promise<PlayingNow>
}

type PlayingNow = Pick<
  StartedBroadcast,
  'clip' | 'place' | 'fromMs' | 'passed' | 'next' | 'before' | 'isSwapped' | 'asked'
>

/** What lies on this machine is read by then. */
const HURRIED_MS = 500

export function createSessionStarter(deps: SessionStarterDeps) {
  const { clips, sealer } = deps
  const findLogo = createFindLogo(deps)
  const inTurn = startInTurns()

  const runOf = async (row: StreamRow, own: LastFound): Promise<RunToBe> => {
    const target = sealer.open(row.target_sealed)
    const { dataDir, ffmpegPath, processes } = deps
    const { id: streamId, epoch } = row
    const address = await deps.addressOf(target, own)
    await programSteps.of(row.user_id)()
    return { streamId, epoch, processes, dataDir, ffmpegPath, target, address }
  }

  /** In its turn, and where it is still wanted then: only now the folder of the stream is touched, where a later start of it may run. */
  const begin = (
    { user_id, id }: StreamRow,
    attempt: StartAttempt,
    send: (folder: RunFolder) => Promise<BroadcastProcess>,
  ) => inTurn(user_id, () => attempt.begin(() => send(deps.folders.begin(id))))

  const sendClip = (run: Run, clip: Clip, how: HowToSend) => {
    const clipSeconds = clips.durationOf(clip) / 1000
    const bitrateKbps = clipSeconds > 0 ? (clip.bytes * 8) / 1000 / clipSeconds : 0
    return startBroadcast({ ...run, ...ALONE, ...how, clip, clipSeconds, bitrateKbps })
  }

  /** The recorder of an online source, for one of its streams at a time. Whatever keeps it from being recorded, it is sent. */
  async function recorderOf(row: StreamRow): Promise<Recorder | null> {
    if (row.record !== 1) return null
    try {
      return (await deps.repo.isFirst(row)) ? await deps.openRecorder(row.id) : null
    } catch (error) {
      deps.log.warn({ err: error, streamId: row.id }, 'a stream is not recorded')
      return null
    }
  }

  async function recordedRunOf(row: StreamRow, own: LastFound, attempt: StartAttempt): Promise<RunToBe> {
    attempt.assertWanted()
    return { record: await recorderOf(row), ...(await runOf(row, own)) }
  }

  function relayOf(row: StreamRow, own: LastFound): Relay | null {
    const ref = onlineRefOf(row, sealer)
    if (!ref) return null
    return createRelay({
      ...deps,
      row,
      ref,
      source: deps.relaySource,
      limits: () => deps.plans.libraryLimitsOf(row.user_id),
      findClip: (videoId) => clips.find(videoId),
      releaseClip: clips.release,
      findLogo: () => findLogo(row),
      sendSource: async (attempt, source, plan, logo) => {
        const run = { ...(await recordedRunOf(row, own, attempt)), source, plan, proxy: await deps.proxyUrl() }
        const send = (more: Pick<RelayRun, 'logo'>) =>
          begin(row, attempt, (folder) => startRelay({ ...run, ...more, folder }))
        // ffmpeg opens the logo at once, and keeps it open.
        return logo ? logo.on(plan.encodedSize, (placed) => send({ logo: placed })) : send({})
      },
      async sendLoop(attempt, clip) {
        const run = await recordedRunOf(row, own, attempt)
        return begin(row, attempt, (folder) => sendClip({ ...run, folder }, clip, { looping: true, fromSeconds: 0 }))
      },
    })
  }

  return (row: StreamRow): SessionSource => {
    // For as long as this stream is kept: others who begin many sessions push out where its target last led.
    const own = createBoundedMap<readonly string[]>(1)
    const relay = relayOf(row, own)
    const sequence = clipSequenceOf({ ...deps, row })

    async function startVideo(position: SequencePosition, attempt: StartAttempt): Promise<StartedBroadcast> {
      const { clip, item, place, fromSeconds, meanSeconds, next } = await sequence.begin(position)
      const inSession = next && { next: typeof next === 'object' && next.follows ? next : null }
      try {
        const how = { looping: sequence.goesOn, fromSeconds, place, meanSeconds, ...inSession }
        const run = await runOf(row, own)
        const process = await begin(row, attempt, (folder) => sendClip({ ...run, folder }, clip, how))
        return { process, clip, item, place, next, fromMs: fromSeconds * 1000, onFallback: false, note: null }
      } catch (error) {
        clips.release(clip)
        if (next && typeof next === 'object') clips.release(next.clip)
        throw error
      }
    }

    return {
      relay,
      sequence,
      start: (position, attempt) => (relay ? relay.start(attempt) : startVideo(position, attempt)),
      playingNow: (process, hurry) => playingInTime(process, hurry, { row, sequence, clips }),
    }
  }
}

interface PlayingDeps {
  row: StreamRow
  sequence: ClipSequence
  clips: Pick<Clips, 'find' | 'durationOf' | 'release'>
}

async function playingInTime(process: BroadcastProcess, hurry: AbortSignal, deps: PlayingDeps): Promise<PlayingNow> {
  const found = playingNow(process, deps)
  const inTime = await Promise.race([found, hurried(hurry)])
  if (inTime) return inTime
  void found.then((late) => heldBy(late).forEach(deps.clips.release))
  return nobodyKnows(deps.row)
}

async function playingNow(process: BroadcastProcess, { row, sequence, clips }: PlayingDeps): Promise<PlayingNow> {
  const outTimeMs = process.lastWords()?.progress.outTimeMs ?? 0
  const slots = { reads: process.reading(), told: process.told() }
  const unknown = nobodyKnows(row)
  const { fromMs, place } = unknown
  const isLoop = row.source_kind === 'video' && place === null && sequence.goesOn
  const left = { fromMs, outTimeMs, ...slots }
  const adopted = isLoop ? adoptedLoop({ row, clips }, left) : place && sequence.adopted?.({ place, ...left })
  const found = await adopted?.catch(() => null)
  if (found) return found
  const clip = await clips
    .find(row.on_fallback === 1 ? row.fallback_video_id : row.video_id, { recipe: row.position_recipe })
    .catch(() => unknown.clip)
  return { clip, place, fromMs }
}

/** As far as the row alone says it. Without a path: nothing is pointed at it, and its ffmpeg plays on. */
const nobodyKnows = (row: StreamRow): PlayingNow => ({
  clip: { ...onlineClip(row), videoId: row.video_id ?? '', recipe: row.position_recipe },
  place: row.position_item_id === null ? null : { itemId: row.position_item_id, round: row.position_round },
  fromMs: row.position_from_ms,
})

/** Null, a moment after it is aborted. */
async function hurried(hurry: AbortSignal): Promise<null> {
  if (!hurry.aborted) await new Promise((resolve) => hurry.addEventListener('abort', resolve, { once: true }))
  return sleep(HURRIED_MS, null, { ref: false })
}
