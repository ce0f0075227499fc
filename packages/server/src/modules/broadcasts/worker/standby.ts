import type { Log } from '../../../platform/log.ts'
import type { Storage } from '../../../platform/storage/storage.ts'
import { place } from '../lease/placement.ts'
import type { ClipLibrary } from '../sequence/clips.ts'
import type { AssignedStreamsRepo } from '../store/assigned-streams.repo.ts'
import type { WorkerLeaseRow } from '../store/worker-leases.repo.ts'
import type { Assignments } from './assignments.ts'

interface StandbyDeps {
  worker: string
  assigned: AssignedStreamsRepo
  running: Assignments['running']
  library: ClipLibrary
  storage: Storage & { prefetch?: (key: string) => Promise<void> }
  log: Log
}

/** Each stream has a worker that fetches its video ahead, so that a take-over waits for no download. */
export function createStandby({ worker, assigned, running, library, storage, log }: StandbyDeps) {
  /** What was written for which claim. */
  const chosen = new Map<string, { readonly epoch: number; readonly standby: string | null }>()
  const fetched = new Set<string>()
  let choosing: Promise<void> | null = null
  let fetching: Promise<void> | null = null

  /** For the streams of this worker. */
  async function choose(rows: readonly WorkerLeaseRow[]): Promise<void> {
    const others = rows.filter(({ id, isLive, state }) => isLive && state === 'up' && id !== worker)
    const known = [...running.values()].map(({ id }) => ({ id, standby: chosen.get(id)?.standby ?? null }))
    const placed = place(known, others)
    const changed = [...running.values()].flatMap(({ id, epoch }) => {
      const standby = placed.get(id) ?? null
      const before = chosen.get(id)
      return before?.epoch === epoch && before.standby === standby ? [] : [{ claim: { id, epoch }, standby }]
    })
    for (const id of chosen.keys()) if (!running.has(id)) chosen.delete(id)
    await assigned.setStandbys(changed)
    for (const { claim, standby } of changed) chosen.set(claim.id, { epoch: claim.epoch, standby })
  }

  async function keyOf({ videoId, recipe }: { videoId: string; recipe: string | null }): Promise<string[]> {
    const video = await library.findById(videoId)
    if (!video) return []
    const rendition = recipe === null ? null : await library.playableRendition(video, recipe)
    const file = rendition ?? (await library.playable(video))
    return [file.key, file.tail?.key].filter((key) => key !== undefined)
  }

  /** For the streams of others. One after the other: what is on air here comes first. */
  async function fetchAhead(): Promise<void> {
    if (!storage.prefetch) return
    const keys = (await Promise.all((await assigned.videosToStandBy(worker)).map(keyOf))).flat()
    for (const key of fetched) if (!keys.includes(key)) fetched.delete(key)
    for (const key of new Set(keys)) {
      if (fetched.has(key)) continue
      fetched.add(key)
      await storage.prefetch(key).catch((error) => {
        fetched.delete(key)
        log.debug({ err: (error as Error).message }, 'a video could not be fetched ahead')
      })
    }
  }

  return {
    /** Each part once at a time: a store that is slow for minutes gets no further fetches beside the one that it is at. */
    async refresh(rows: readonly WorkerLeaseRow[]): Promise<void> {
      choosing ??= choose(rows).finally(() => {
        choosing = null
      })
      await choosing
      fetching ??= fetchAhead().finally(() => {
        fetching = null
      })
      await fetching
    },
  }
}
