import type { AddTargetsBody, Broadcast, StartBroadcastBody } from '@siarin/contracts/broadcasts'
import { lookOf } from '@siarin/contracts/recipes'
import { STREAM_TEXTS } from '@siarin/contracts/texts'
import { DomainError } from '../../../errors.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Sealer } from '../../../platform/secrets/seal.ts'
import type { Caller } from '../../identity/caller.ts'
import type { LibraryService } from '../../library/library.service.ts'
import type { BroadcastSpec, StartBody } from '../spec/specify.ts'
import type { TargetSpec } from '../spec/specify-targets.ts'
import type { BroadcastRow, NamedStreamRow, StreamsRepo } from '../store/streams.repo.ts'
import { preparationsOf } from './active-streams.ts'
import { toBroadcast } from './broadcast-views.ts'
import { cursorAfter, readCursor } from './cursor.ts'
import type { createStop, StopOutcome } from './stop-stream.ts'

interface BroadcastsServiceDeps {
  repo: Pick<StreamsRepo, 'openBroadcastsOf' | 'broadcastById' | 'streamsOf'>
  specify: (caller: Caller, body: StartBody) => Promise<BroadcastSpec>
  specifyTargets: (caller: Caller, targets: AddTargetsBody['targets']) => Promise<TargetSpec[]>
  chooseRecipes: (videoId: string | null, targets: readonly TargetSpec[]) => Promise<TargetSpec[]>
  launch: (spec: BroadcastSpec) => Promise<string>
  extend: (broadcast: BroadcastRow, targets: readonly TargetSpec[]) => Promise<string[]>
  stop: ReturnType<typeof createStop>
  library: Pick<LibraryService, 'preparations'>
  sealer: Pick<Sealer, 'open'>
  clock: Clock
}

export type BroadcastsService = ReturnType<typeof createBroadcastsService>

const notFound = (): DomainError => new DomainError('stream_not_found', STREAM_TEXTS.streamNotFound)

/** What a broadcast was asked to send goes to further targets too: nobody else chooses a version with a brand. */
const brandedRecipe = (streams: readonly NamedStreamRow[]): string | null =>
  streams.find(({ recipe, phase }) => phase !== 'ended' && recipe && lookOf(recipe))?.recipe ?? null

/** Broadcasts with all of their streams. */
export function createBroadcastsService(deps: BroadcastsServiceDeps) {
  const { repo, stop } = deps

  async function find({ workspaceId }: Caller, id: string): Promise<BroadcastRow> {
    const row = await repo.broadcastById(workspaceId, id)
    if (!row) throw notFound()
    return row
  }

  const sourceOf = (row: BroadcastRow): string =>
    row.source_sealed === null ? row.source : deps.sealer.open(row.source_sealed).reveal()

  async function describe(rows: readonly BroadcastRow[]): Promise<Broadcast[]> {
    const streams = await repo.streamsOf(rows.map(({ id }) => id))
    const wanted = streams.filter(({ phase }) => phase !== 'ended')
    const preparations = await preparationsOf(deps.library, wanted)
    const now = deps.clock.now()
    return rows.map((row) => {
      const own = streams.filter(({ broadcast_id }) => broadcast_id === row.id)
      const preparation = own.map(({ id }) => preparations.get(id)).find((known) => known !== undefined) ?? null
      return toBroadcast(row, { streams: own, source: sourceOf(row), now, preparation })
    })
  }

  async function streamOf(caller: Caller, broadcastId: string, streamId: string): Promise<NamedStreamRow> {
    const { id } = await find(caller, broadcastId)
    const stream = (await repo.streamsOf([id])).find((each) => each.id === streamId)
    if (!stream) throw notFound()
    return stream
  }

  return {
    async list({ workspaceId }: Caller, page: { cursor?: string | undefined; limit: number }) {
      const after = page.cursor === undefined ? null : readCursor(page.cursor)
      const rows = await repo.openBroadcastsOf(workspaceId, after, page.limit + 1)
      const shown = rows.slice(0, page.limit)
      const last = rows.length > page.limit ? shown.at(-1) : undefined
      const nextCursor = last ? cursorAfter({ createdAt: last.created_at, id: last.id }) : null
      return { broadcasts: await describe(shown), nextCursor }
    },

    async start(caller: Caller, body: StartBroadcastBody) {
      const spec = await deps.specify(caller, body)
      const broadcastId = await deps.launch(spec)
      const streamIds = (await repo.streamsOf([broadcastId])).map(({ id }) => id)
      return { broadcastId, streamIds, awaitsVideo: spec.awaitsVideo }
    },

    async show(caller: Caller, id: string): Promise<Broadcast> {
      const [broadcast] = await describe([await find(caller, id)])
      if (!broadcast) throw notFound()
      return broadcast
    },

    stop: (caller: Caller, id: string): Promise<StopOutcome> => stop.broadcast(caller, id),

    async addTargets(caller: Caller, id: string, { targets }: AddTargetsBody): Promise<string[]> {
      const broadcast = await find(caller, id)
      if (broadcast.ended_at !== null) throw notFound()
      const specs = await deps.specifyTargets(caller, targets)
      const recipe = brandedRecipe(await repo.streamsOf([id]))
      const chosen = recipe
        ? specs.map((spec) => ({ ...spec, recipe }))
        : await deps.chooseRecipes(broadcast.video_id, specs)
      return deps.extend(broadcast, chosen)
    },

    async removeTarget(caller: Caller, id: string, streamId: string): Promise<StopOutcome> {
      const stream = await streamOf(caller, id, streamId)
      return stop.stream(caller, { streamId: stream.id })
    },
  }
}
