import { randomUUID } from 'node:crypto'
import type { Platform } from '@siarin/contracts/platforms'
import type { StartStreamBody } from '@siarin/contracts/streams'
import { STREAM_TEXTS } from '@siarin/contracts/texts'
import { Secret } from '@siarin/media/secret'
import { DomainError } from '../../../errors.ts'
import type { Sealer } from '../../../platform/secrets/seal.ts'
import type { Caller } from '../../identity/caller.ts'
import type { StreamsRepo } from '../store/streams.repo.ts'
import type { ChooseSource, SourceColumns } from './choose-source.ts'
import type { Target } from './resolve-target.ts'

/** A broadcast that was checked and can be put on air, now or later: plain data, its secrets sealed. */
export interface BroadcastSpec {
  /** Of the broadcast that it becomes. */
  readonly id: string
  readonly workspaceId: string
  readonly title: string | null
  readonly looping: boolean
  readonly source: SourceColumns
  /** Its video is still being prepared: it goes on air once that is ready. */
  readonly awaitsVideo: boolean
  readonly target: TargetSpec
}

interface TargetSpec {
  readonly platform: Platform
  readonly sealed: string
  readonly host: string
  /** Tells whether two broadcasts go to one target, and nothing else about it. */
  readonly mark: string
}

interface SpecifyDeps {
  repo: Pick<StreamsRepo, 'byId'>
  chooseSource: Pick<ChooseSource, 'ofStart'>
  resolveTarget: (platform: Platform, typed: Secret) => Promise<Target>
  sealer: Sealer
}

/** Makes what somebody asks for into a complete specification, or refuses it with words. */
export function createSpecify({ repo, chooseSource, resolveTarget, sealer }: SpecifyDeps) {
  /** What was typed, or what an earlier stream of the same person was sent to. */
  async function wantedTarget({ workspaceId }: Caller, { rtmpStream, targetOf }: StartStreamBody): Promise<Secret> {
    if (rtmpStream || !targetOf) return new Secret(rtmpStream)
    const earlier = await repo.byId(targetOf)
    if (earlier?.user_id !== workspaceId) throw new DomainError('stream_not_found', STREAM_TEXTS.targetNotKept)
    return sealer.open(earlier.target_sealed)
  }

  return async function specify(caller: Caller, body: StartStreamBody): Promise<BroadcastSpec> {
    // What a playlist begins with follows from it.
    const id = randomUUID()
    const { columns: source, awaitsVideo } = await chooseSource.ofStart(caller, body, id)
    const { platform } = body
    const target = await resolveTarget(platform, await wantedTarget(caller, body))
    return {
      id,
      workspaceId: caller.workspaceId,
      title: body.title || null,
      looping: body.looping,
      source,
      awaitsVideo,
      target: { platform, sealed: sealer.seal(target.url), host: target.host, mark: sealer.mark(target.url) },
    }
  }
}
