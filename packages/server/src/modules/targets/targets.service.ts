import { randomUUID } from 'node:crypto'
import { TARGETS_MAX } from '@siarin/contracts/limits'
import { PLATFORM_FACTS, type Platform } from '@siarin/contracts/platforms'
import { TARGET_TEXTS } from '@siarin/contracts/target-texts'
import type { AddTargetBody, ChangeTargetBody, ListTargetsQuery, Target } from '@siarin/contracts/targets'
import { rtmpTarget } from '@siarin/media/rtmp-target'
import type { Secret } from '@siarin/media/secret'
import { DomainError } from '../../errors.ts'
import type { Visitor } from '../../http/visitor.ts'
import type { Clock } from '../../platform/clock.ts'
import { uniqueViolation } from '../../platform/db/database.ts'
import type { Egress } from '../../platform/egress/egress.ts'
import type { Sealer } from '../../platform/secrets/seal.ts'
import type { ActivityService } from '../activity/activity.service.ts'
import type { Caller } from '../identity/caller.ts'
import { fromCursor, toCursor } from './cursor.ts'
import { judgeTarget } from './judge-target.ts'
import { bareKey, instanceOf, keyHint, shownAddress, type TargetParts, targetParts, wholeOf } from './target-parts.ts'
import { toTarget } from './target-view.ts'
import type { TargetChange, TargetRow, TargetsRepo } from './targets.repo.ts'

/** What a broadcast needs of a stored target. */
interface ResolvedTarget {
  readonly id: string
  readonly name: string
  readonly platform: Platform
  readonly preset: string | null
  /** The whole address with its key, ready for `resolveTarget`, which judges where it leads today. */
  readonly address: Secret
}

export interface TargetsService {
  list(caller: Caller, page: ListTargetsQuery): Promise<{ targets: Target[]; nextCursor: string | null }>
  get(caller: Caller, id: string): Promise<Target>
  add(caller: Caller, body: AddTargetBody, visitor: Visitor): Promise<Target>
  /** `usedOnAir`: a broadcast goes there now, with what it was before. */
  change(
    caller: Caller,
    id: string,
    body: ChangeTargetBody,
    visitor: Visitor,
  ): Promise<{ data: Target; usedOnAir: boolean }>
  remove(caller: Caller, id: string, visitor: Visitor): Promise<void>
  /** For a broadcast that goes to them, in the order of the ids, each once. Refused with words where one is not there. */
  resolve(workspaceId: string, ids: readonly string[]): Promise<readonly ResolvedTarget[]>
  /** What those of these are called that are there. */
  names(
    workspaceId: string,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, Pick<ResolvedTarget, 'name' | 'platform'>>>
}

export interface TargetsServiceDeps {
  repo: TargetsRepo
  sealer: Sealer
  clock: Clock
  activity: Pick<ActivityService, 'record'>
  egress: Pick<Egress, 'resolve'>
  isStoredOnAir: (workspaceId: string, targetId: string) => Promise<boolean>
}

/** Two names that read alike are one. */
const nameKeyOf = (name: string): string => name.normalize('NFKC').toLowerCase()

const missing = (): DomainError => new DomainError('not_found', TARGET_TEXTS.notFound)

function refuseDouble(error: unknown): never {
  if (!uniqueViolation(error)?.includes('name')) throw error
  throw new DomainError('target_exists', TARGET_TEXTS.nameTaken)
}

/** The whole address of a row. */
export function addressOfRow(row: TargetRow, sealer: Pick<Sealer, 'open'>): Secret {
  const whole = wholeOf({ address: row.address, key: sealer.open(row.key_sealed) })
  const target = rtmpTarget(whole.reveal(), PLATFORM_FACTS[row.platform as Platform]?.ingestBase ?? null)
  if (!target.ok) throw new DomainError('target_invalid', TARGET_TEXTS.addressInvalid)
  return target.url
}

export function createTargetsService(deps: TargetsServiceDeps): TargetsService {
  const { repo, sealer, clock, activity } = deps

  const record = ({ userId }: Caller, kind: `target-${'added' | 'changed' | 'removed'}`, row: TargetRow, by: Visitor) =>
    activity.record({ userId, kind, visitor: by, detail: detailOf(row) })

  async function ownRow({ workspaceId }: Caller, id: string): Promise<TargetRow> {
    const row = await repo.byId(workspaceId, id)
    if (!row) throw missing()
    return row
  }

  return {
    async list({ workspaceId }, { cursor, limit }) {
      const after = cursor ? fromCursor(cursor) : null
      // One more tells whether there is another page.
      const rows = await repo.page(workspaceId, { after, limit: limit + 1 })
      const shown = rows.slice(0, limit)
      const last = rows.length > limit ? shown.at(-1) : undefined
      return { targets: shown.map((row) => toTarget(row, sealer)), nextCursor: last ? toCursor(last.name_key) : null }
    },

    get: async (caller, id) => toTarget(await ownRow(caller, id), sealer),

    async add(caller, { name, platform, preset = null, address = null, key = null }, visitor) {
      const { parts } = await judgeTarget({ platform, address, key }, deps.egress)
      const row: TargetRow = {
        id: randomUUID(),
        user_id: caller.workspaceId,
        ...{ name, name_key: nameKeyOf(name), platform, preset, address: parts.address },
        key_sealed: sealer.seal(parts.key),
        key_hint: keyHint(parts.key),
        created_at: clock.now(),
        ...{ last_used_at: null, checked_at: null, check_result: null },
      }
      if (!(await repo.insertWithin(row, TARGETS_MAX).catch(refuseDouble))) {
        throw new DomainError('target_limit_reached', TARGET_TEXTS.limit(TARGETS_MAX))
      }
      await record(caller, 'target-added', row, visitor)
      return toTarget(row, sealer)
    },

    async change(caller, id, body, visitor) {
      const row = await ownRow(caller, id)
      const { name } = body
      const change: TargetChange = {
        ...(name !== undefined && { name, name_key: nameKeyOf(name) }),
        ...(changesWhereTo(body) && (await changedTarget(row, body, deps))),
      }
      const changed = await repo.change(row, change).catch(refuseDouble)
      if (!changed) {
        await ownRow(caller, id)
        throw new DomainError('target_changed', TARGET_TEXTS.changedMeanwhile)
      }
      await record(caller, 'target-changed', changed, visitor)
      const usedOnAir = changesWhereTo(body) && (await deps.isStoredOnAir(caller.workspaceId, id))
      return { data: toTarget(changed, sealer), usedOnAir }
    },

    async remove(caller, id, visitor) {
      const row = await repo.remove(caller.workspaceId, id)
      if (!row) throw missing()
      await record(caller, 'target-removed', row, visitor)
    },

    async resolve(workspaceId, ids) {
      const asked = [...new Set(ids)]
      if (asked.length === 0) return []
      if (asked.length > TARGETS_MAX) throw new DomainError('target_limit_reached', TARGET_TEXTS.limit(TARGETS_MAX))
      const rows = new Map((await repo.byIds(workspaceId, asked)).map((row) => [row.id, row]))
      const resolved = asked.map((id): ResolvedTarget => {
        const row = rows.get(id)
        // A schedule says which of its reasons that is.
        if (!row) throw new DomainError('not_found', TARGET_TEXTS.notFound, { reasonCode: 'target-deleted' })
        const { name, preset } = row
        return { id, name, platform: row.platform as Platform, preset, address: addressOfRow(row, sealer) }
      })
      await repo.noteUse(workspaceId, asked, clock.now())
      return resolved
    },

    async names(workspaceId, ids) {
      const rows = await repo.byIds(workspaceId, ids)
      return new Map(rows.map(({ id, name, platform }) => [id, { name, platform: platform as Platform }]))
    },
  }
}

export const detailOf = ({ name, platform }: TargetRow): string =>
  `${name} · ${PLATFORM_FACTS[platform as Platform]?.label ?? platform}`

/** All but the name: such a change sends the stored key elsewhere, or replaces it. */
export const changesWhereTo = ({ platform, preset, address, key }: ChangeTargetBody): boolean =>
  [platform, preset, address, key].some((value) => value !== undefined)

/** Judged as a whole, like a new one. A key goes with its server: a user who names another server has to know the key. */
async function changedTarget(
  row: TargetRow,
  body: ChangeTargetBody,
  { egress, sealer }: Pick<TargetsServiceDeps, 'egress' | 'sealer'>,
): Promise<TargetChange> {
  const platform = body.platform ?? (row.platform as Platform)
  const before = partsOfRow(row, sealer)
  const isSameAddress = body.address === undefined || body.address === shownAddress(before)
  // A whole address that was typed as the key brings its server along.
  const keptAddress = isWholeAddress(body.key) ? null : before.address
  const address = isSameAddress ? keptAddress : (body.address ?? null)
  const key = changedKey(body, { before, isSameAddress, keepsServer: keepsServer(row, platform, address), address })
  if (key === null && typeof targetParts(address, null) === 'string') {
    throw new DomainError('target_invalid', TARGET_TEXTS.keyAgain)
  }
  const { parts } = await judgeTarget({ platform, address, key }, egress)
  return {
    platform,
    preset: body.preset === undefined ? row.preset : body.preset,
    address: parts.address,
    key_sealed: sealer.seal(parts.key),
    key_hint: keyHint(parts.key),
    checked_at: null,
    check_result: null,
  }
}

interface KeyChange {
  readonly before: TargetParts
  readonly isSameAddress: boolean
  readonly keepsServer: boolean
  readonly address: string | null
}

/** Null: the address has it, or it has to be typed again. */
function changedKey(
  { key }: ChangeTargetBody,
  { before, isSameAddress, keepsServer, address }: KeyChange,
): string | null {
  // What is not shown of the address goes with the address, not with the key.
  const instance = isSameAddress ? instanceOf(before.key) : ''
  if (key) return isWholeAddress(key) ? key : `${instance}${key}`
  const isWhole = !isSameAddress && typeof targetParts(address, null) !== 'string'
  return keepsServer && !isWhole ? `${instance}${bareKey(before.key)}` : null
}

/** As they would be stored today: a row of an older version may have its key in its address too. */
function partsOfRow(row: TargetRow, sealer: Pick<Sealer, 'open'>): TargetParts {
  const key = sealer.open(row.key_sealed)
  const parts = targetParts(row.address, key.reveal())
  return typeof parts === 'string' ? { address: row.address, key } : parts
}

const isWholeAddress = (key: string | undefined): boolean => /^rtmps?:\/\//i.test(key ?? '')

const keepsServer = (row: TargetRow, platform: Platform, address: string | null): boolean =>
  serverOf(platform, address) === serverOf(row.platform as Platform, row.address)

/** The host that a key would be sent to; null: none that could be used. */
function serverOf(platform: Platform, address: string | null): string | null {
  const target = rtmpTarget(
    address ? `${address.replace(/\/$/, '')}/key` : 'key',
    PLATFORM_FACTS[platform]?.ingestBase ?? null,
  )
  return target.ok ? target.host : null
}
