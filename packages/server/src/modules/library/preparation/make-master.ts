import { join } from 'node:path'
import type { Readiness } from '@siarin/media/readiness'
import type { Log } from '../../../platform/log.ts'
import type { Timings } from '../../../platform/timings.ts'
import type { InspectVideo, UsableProbe } from '../inspect-video.ts'
import { type Lane, neededLane } from '../lanes.ts'
import type { LibraryRepo } from '../library.repo.ts'
import { createProgressReport } from '../progress-report.ts'
import type { MadeMaster } from '../rendition-store.ts'
import type { LibraryLimits, Room } from '../room.ts'
import { unusable } from '../video-refused.ts'
import type { VideoRow } from '../video-row.ts'
import type { WorkFolders } from '../work-folders.ts'
import { createEncode } from './encode-master.ts'
import type { JudgedOriginal } from './judge-original.ts'
import { createMasterPlanner } from './plan-master.ts'

export interface MasterDeps {
  repo: LibraryRepo
  room: Room
  log: Log
  inspect: InspectVideo
  limitsOf: (userId: string) => Promise<LibraryLimits>
  ffmpegPath: string
  ffprobePath: string
  workOf: WorkFolders['of']
  timings: Timings['mediaTools']
}

export type ProbedMaster = MadeMaster & { readonly probe: UsableProbe }

type Original = Omit<JudgedOriginal, 'verdict'>
type Needed = Readiness & { kind: 'audio-only' | 'full' }
type MakeMaster = (
  video: VideoRow,
  original: Original,
  needed: Needed,
  signal: AbortSignal,
) => Promise<ProbedMaster | null>

export const MASTER_TYPE = 'video/mp4'

/** Makes what is played and broadcast. Null: it needs another lane. */
export function createMasterMaker(deps: MasterDeps, lane: Lane): MakeMaster {
  const { repo, room, log, workOf, timings } = deps
  const planMaster = createMasterPlanner(deps)
  const encode = createEncode(deps)

  async function makeMaster(
    video: VideoRow,
    original: Original,
    needed: Needed,
    signal: AbortSignal,
  ): Promise<ProbedMaster | null> {
    const { plan, work } = await planMaster(video, original, needed)
    const output = join(workOf(video), 'master.mp4')
    const most = await room.forMaster(video)
    await repo.update(video.id, { step: 'preparing', progress: 0, seconds_left: null })
    const report = createProgressReport((progress) => repo.update(video.id, progress))
    const paths = { input: original.path, output }
    const order = { plan, work, ...paths, most, expectedBytes: video.original_bytes, report: report.at }
    const { probe, bytes, faults } = await encode(video, order, signal)
    if (faults.length === 0) {
      return { file: output, bytes, contentType: MASTER_TYPE, probe, loop: null, tail: null }
    }
    log.error({ videoId: video.id, faults, tried: needed.kind }, 'a prepared video would not loop')
    if (needed.kind === 'full') {
      throw unusable(needed.why.includes('picture-changes') ? 'picture-changes' : 'prepare-failed')
    }
    // Its picture is damaged in a way that only making it anew can mend.
    const anew: Needed = { kind: 'full', why: ['incomplete'] }
    if (lane === 'quick' && neededLane(anew, original, timings.quickPixels) === 'long') return null
    return makeMaster(video, original, anew, signal)
  }

  return makeMaster
}
