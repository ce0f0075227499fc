import { BROADCAST_TEXTS } from '@siarin/contracts/broadcast-texts'
import type { TargetBody } from '@siarin/contracts/broadcasts'
import { presetAt } from '@siarin/contracts/platform-presets'
import type { Platform } from '@siarin/contracts/platforms'
import { STREAM_TEXTS } from '@siarin/contracts/texts'
import { Secret } from '@siarin/media/secret'
import { DomainError } from '../../../errors.ts'
import type { Sealer } from '../../../platform/secrets/seal.ts'
import type { Caller } from '../../identity/caller.ts'
import type { Target } from '../../targets/resolve-target.ts'
import type { StreamsRepo } from '../store/streams.repo.ts'

/** A target that was checked: plain data, its secret sealed. */
export interface TargetSpec {
  readonly platform: Platform
  readonly sealed: string
  readonly host: string
  /** Tells whether two broadcasts go to one target, and nothing else about it. */
  readonly mark: string
  /** A saved target's; null: it was typed. */
  readonly id: string | null
  readonly name: string | null
  /** Whose limits it has (contracts/platform-presets); null: nobody knows. */
  readonly preset: string | null
  /** Which rendition of the video it is sent; null: the video as it is. */
  readonly recipe: string | null
}

/** A target that its owner has saved, with its key. */
export interface SavedTarget {
  readonly id: string
  readonly name: string
  readonly platform: Platform
  readonly preset?: string | null
  readonly address: Secret
}

/** Those of a workspace that have these ids; one that is not there is left out. */
export type ResolveTargets = (workspaceId: string, ids: readonly string[]) => Promise<readonly SavedTarget[]>

export interface SpecifyTargetsDeps {
  repo: Pick<StreamsRepo, 'byId'>
  resolveTarget: (platform: Platform, typed: Secret) => Promise<Target>
  resolveTargets: ResolveTargets
  sealer: Sealer
}

interface Wanted {
  readonly platform: Platform
  readonly preset?: string | null
  readonly address: Secret
  readonly id: string | null
  readonly name: string | null
}

/** Each may wait for a name that nobody answers for: some at a time, so that other callers' names have their turn. */
const RESOLVED_AT_ONCE = 4

const notFound = (): DomainError => new DomainError('target_invalid', BROADCAST_TEXTS.targetNotFound)

/** Makes the targets that somebody names into what streams keep of them, or refuses with words. */
export function createSpecifyTargets({ repo, resolveTarget, resolveTargets, sealer }: SpecifyTargetsDeps) {
  /** What was typed, or what an earlier stream of the same person was sent to. */
  async function typed({ workspaceId }: Caller, { platform, rtmpStream, targetOf }: TargetBody): Promise<Wanted> {
    if (!platform) throw new DomainError('target_invalid', STREAM_TEXTS.platformUnknown)
    if (rtmpStream || !targetOf) return { platform, address: new Secret(rtmpStream), id: null, name: null }
    const earlier = await repo.byId(targetOf)
    if (earlier?.user_id !== workspaceId) throw new DomainError('stream_not_found', STREAM_TEXTS.targetNotKept)
    return { platform, address: sealer.open(earlier.target_sealed), id: earlier.target_id, name: earlier.target_name }
  }

  async function savedOf(workspaceId: string, targets: readonly TargetBody[]): Promise<Map<string, SavedTarget>> {
    const ids = [...new Set(targets.flatMap(({ targetId }) => targetId ?? []))]
    if (ids.length === 0) return new Map()
    return new Map((await resolveTargets(workspaceId, ids)).map((target) => [target.id, target]))
  }

  async function check({ platform, preset = null, address, id, name }: Wanted): Promise<TargetSpec> {
    const { url, host } = await resolveTarget(platform, address)
    const target = { platform, sealed: sealer.seal(url), host, mark: sealer.mark(url), id, name }
    return { ...target, preset: platform === 'lain' ? (preset ?? presetAt(host)?.id ?? null) : platform, recipe: null }
  }

  return async function specifyTargets(caller: Caller, targets: readonly TargetBody[]): Promise<TargetSpec[]> {
    const saved = await savedOf(caller.workspaceId, targets)
    const specs: TargetSpec[] = []
    for (let from = 0; from < targets.length; from += RESOLVED_AT_ONCE) {
      const some = targets.slice(from, from + RESOLVED_AT_ONCE).map(async (target) => {
        const wanted = target.targetId ? saved.get(target.targetId) : await typed(caller, target)
        if (!wanted) throw notFound()
        return check(wanted)
      })
      specs.push(...(await Promise.all(some)))
    }
    if (new Set(specs.map(({ mark }) => mark)).size < specs.length) {
      throw new DomainError('target_in_use', BROADCAST_TEXTS.targetTwice)
    }
    return specs
  }
}
