import { randomUUID } from 'node:crypto'
import type { StartBroadcastBody, TargetBody } from '@siarin/contracts/broadcasts'
import type { StartStreamBody } from '@siarin/contracts/streams'
import type { Caller } from '../../identity/caller.ts'
import type { createChooseLogo } from './choose-logo.ts'
import type { createChooseRecipes } from './choose-recipes.ts'
import type { ChooseSource, SourceColumns } from './choose-source.ts'
import type { VideoPins } from './named-videos.ts'
import { createSpecifyTargets, type SpecifyTargetsDeps, type TargetSpec } from './specify-targets.ts'

/** A broadcast that was checked and can be put on air, now or later: plain data, its secrets sealed. */
export interface BroadcastSpec {
  /** The broadcast that it becomes has this id. */
  readonly id: string
  readonly workspaceId: string
  readonly title: string | null
  readonly looping: boolean
  /** What it sends is recorded. */
  readonly record: boolean
  readonly source: SourceColumns
  /** Its video is still being prepared: it goes on air once that is ready. */
  readonly awaitsVideo: boolean
  /** At least one, and no two alike. */
  readonly targets: readonly TargetSpec[]
}

/** What a start call says: where to with `targets`, or with the one target of `/fitur/steam/start`. */
export type StartBody = (StartStreamBody | StartBroadcastBody) & { readonly pins?: VideoPins }

interface SpecifyDeps extends SpecifyTargetsDeps {
  chooseSource: Pick<ChooseSource, 'ofStart'>
  chooseRecipes: ReturnType<typeof createChooseRecipes>
  chooseLogo: ReturnType<typeof createChooseLogo>
}

const targetsOf = (body: StartBody): readonly TargetBody[] => ('targets' in body ? body.targets : [body])

/** Makes what somebody asks for into a complete specification, or refuses it with words. */
export function createSpecify({ chooseSource, chooseRecipes, chooseLogo, ...deps }: SpecifyDeps) {
  const specifyTargets = createSpecifyTargets(deps)
  /** `id`: the broadcast's. A caller that has to start something once gives the same one each time. */
  return async function specify(caller: Caller, body: StartBody, id: string = randomUUID()): Promise<BroadcastSpec> {
    // What a playlist begins with follows from the id.
    const { columns: source, awaitsVideo } = await chooseSource.ofStart(caller, body, id)
    const targets = await specifyTargets(caller, targetsOf(body))
    // A playlist has one recipe for all of its videos.
    const sentVideo = source.playlist_id || awaitsVideo ? null : source.video_id
    const logo = body.logo ? await chooseLogo(caller, source, body.logo) : null
    const chosen = logo === null ? await chooseRecipes(sentVideo, targets, body.rendition ?? null) : targets
    return {
      id,
      workspaceId: caller.workspaceId,
      title: body.title || null,
      looping: body.looping,
      record: body.record ?? false,
      source,
      awaitsVideo,
      targets: logo === null ? chosen : chosen.map((target) => ({ ...target, recipe: logo })),
    }
  }
}
