import { randomUUID } from 'node:crypto'
import { ALERT_CHANNEL_LABELS, ALERT_TEXTS } from '@siarin/contracts/alert-texts'
import {
  type AddDiscordBody,
  type AddPushBody,
  ALERT_CHANNELS_MAX,
  type AlertChannel,
  type ChangeAlertChannelBody,
  type ChannelsOffered,
} from '@siarin/contracts/alerts'
import { Secret } from '@siarin/media/secret'
import { DomainError } from '../../errors.ts'
import type { Visitor } from '../../http/visitor.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Sealer } from '../../platform/secrets/seal.ts'
import { createActivityRepo } from '../activity/activity.repo.ts'
import { createActivityService } from '../activity/activity.service.ts'
import { asOwner, type Caller } from '../identity/caller.ts'
import { toChannel } from './channel-view.ts'
import type { ChannelKind } from './channels/channel.ts'
import type { Channels, CheckedDestination, LinkedChat } from './channels/channels.ts'
import { channelsRepo } from './channels.repo.ts'
import type { ChannelRow } from './deliveries.repo.ts'

export interface ChannelsServiceDeps {
  readonly db: Db
  readonly channels: Pick<Channels, 'senders' | 'check' | 'telegramLinks' | 'vapidPublicKey'>
  readonly sealer: Sealer
  readonly clock: Clock
  /** The account's own address, if a link that was sent there came back. */
  readonly verifiedMailOf: (userId: string) => Promise<string | null>
}

export type ChannelsService = ReturnType<typeof createChannelsService>

interface Adding {
  readonly kind: ChannelKind
  readonly name: string | undefined
  readonly destination: string
  readonly shown: string
  /** Null: a chat sent its code. */
  readonly visitor: Visitor | null
}

/** In the transaction of what was done. What it shows of a destination is no secret. */
const record = (
  inside: Db,
  kind: `alert-channel-${'added' | 'removed'}`,
  { userId, name, hint, visitor }: { userId: string; name: string; hint: string; visitor: Visitor | null },
  clock: Clock,
): Promise<void> =>
  createActivityService({ repo: createActivityRepo(inside), clock }).record({
    ...{ userId, kind, visitor },
    detail: `${name} (${hint})`,
  })

const missing = (): DomainError => new DomainError('not_found', ALERT_TEXTS.channelNotFound)

export function createChannelsService(deps: ChannelsServiceDeps) {
  const { db, channels, clock, verifiedMailOf } = deps

  async function ownRow({ workspaceId }: Caller, id: string): Promise<ChannelRow> {
    const row = await channelsRepo.byId(db, workspaceId, id)
    if (!row) throw missing()
    return row
  }

  async function view(caller: Caller, id: string): Promise<AlertChannel> {
    const row = await ownRow(caller, id)
    return toChannel(row, (await channelsRepo.waiting(db, [id])).get(id) ?? 0)
  }

  async function add(caller: Caller, adding: Adding): Promise<AlertChannel> {
    const id = await db.transaction().execute((inside) => keepChannel(inside, caller, adding, deps))
    return view(caller, id)
  }

  const remove = ({ userId, workspaceId }: Caller, id: string, visitor: Visitor): Promise<void> =>
    db.transaction().execute(async (inside) => {
      const row = await channelsRepo.remove(inside, workspaceId, id)
      if (!row) throw missing()
      await record(inside, 'alert-channel-removed', { userId, name: row.name, hint: row.hint, visitor }, clock)
    })

  const ownDestination = (row: ChannelRow): string => deps.sealer.open(row.destination_sealed).reveal()

  return {
    ownRow,
    view,
    async list({ workspaceId }: Caller): Promise<AlertChannel[]> {
      const rows = await channelsRepo.all(db, workspaceId)
      const ids = rows.map(({ id }) => id)
      const waiting = await channelsRepo.waiting(db, ids)
      return rows.map((row) => toChannel(row, waiting.get(row.id) ?? 0))
    },
    async offered({ userId }: Caller): Promise<ChannelsOffered> {
      const { senders, telegramLinks } = channels
      return {
        telegramBot: telegramLinks.operatorBot,
        discord: senders.discord !== null,
        push: senders.push !== null,
        pushPublicKey: senders.push ? await channels.vapidPublicKey() : null,
        email: senders.email !== null,
        emailAddress: await verifiedMailOf(userId),
      }
    },
    addDiscord(caller: Caller, { name, url }: AddDiscordBody, visitor: Visitor): Promise<AlertChannel> {
      const checked = accepted(channels.check.discord(url), ALERT_TEXTS.discordInvalid)
      return add(caller, { kind: 'discord', name, ...checked, visitor })
    },
    /** `sessionId`: of the browser, whose pushes end with it. Null: an API client added it. */
    async addPush(
      caller: Caller,
      { name, subscription, sessionId }: AddPushBody & { sessionId: string | null },
      visitor: Visitor,
    ): Promise<AlertChannel> {
      const checked = accepted(await channels.check.push(subscription, sessionId), ALERT_TEXTS.pushInvalid)
      return add(caller, { kind: 'push', name, ...checked, visitor })
    },
    async addEmail(caller: Caller, visitor: Visitor): Promise<AlertChannel> {
      if (!channels.senders.email) throw new DomainError('invalid_input', ALERT_TEXTS.notOffered)
      const address = await verifiedMailOf(caller.userId)
      if (!address) throw new DomainError('invalid_input', ALERT_TEXTS.noVerifiedEmail)
      return add(caller, { kind: 'email', name: undefined, destination: caller.userId, shown: address, visitor })
    },
    async removePush(caller: Caller, endpoint: string, visitor: Visitor): Promise<void> {
      const rows = await channelsRepo.all(db, caller.workspaceId)
      const row = rows.find((each) => each.kind === 'push' && endpointOf(ownDestination(each)) === endpoint)
      if (!row) throw missing()
      await remove(caller, row.id, visitor)
    },
    async change(caller: Caller, id: string, change: ChangeAlertChannelBody): Promise<AlertChannel> {
      const row = await ownRow(caller, id)
      const { name, on } = change
      const isAsIs = on !== undefined && on === (row.state === 'on')
      const wanted = { ...(name !== undefined && { name }), ...(on !== undefined && !isAsIs && { on }) }
      await db.transaction().execute((inside) => channelsRepo.change(inside, row, wanted, clock.now()))
      return view(caller, id)
    },
    remove,
  }
}

function accepted(checked: CheckedDestination, invalid: string): { destination: string; shown: string } {
  if (checked.ok) return checked
  if (checked.why === 'unreachable') throw new DomainError('source_unreachable', ALERT_TEXTS.unreachable)
  throw new DomainError('invalid_input', invalid)
}

/** A browser that renews its subscription keeps its endpoint; the keys beside it may change. */
function endpointOf(destination: string): string {
  try {
    return String((JSON.parse(destination) as { endpoint?: unknown }).endpoint ?? destination)
  } catch {
    return destination
  }
}

/**
 * Writes a new channel. The same destination again is the same channel, switched on again: who links a chat anew, or allows a browser
 * anew, means that.
 */
async function keepChannel(
  inside: Db,
  { userId, workspaceId }: Pick<Caller, 'userId' | 'workspaceId'>,
  { kind, name, destination, shown, visitor }: Adding,
  { sealer, clock }: Pick<ChannelsServiceDeps, 'sealer' | 'clock'>,
): Promise<string> {
  const rows = await channelsRepo.lock(inside, workspaceId)
  const sealed = sealer.seal(new Secret(destination))
  const same = rows.find(
    (row) => row.kind === kind && endpointOf(sealer.open(row.destination_sealed).reveal()) === endpointOf(destination),
  )
  const added = (as: string) => record(inside, 'alert-channel-added', { userId, name: as, hint: shown, visitor }, clock)
  if (same) {
    const again = { ...(name !== undefined && { name }), ...(same.state !== 'on' && { on: true }) }
    await channelsRepo.change(inside, same, { ...again, destination: { sealed, hint: shown } }, clock.now())
    if (same.state !== 'on') await added(name ?? same.name)
    return same.id
  }
  if (rows.length >= ALERT_CHANNELS_MAX) {
    throw new DomainError('channel_limit_reached', ALERT_TEXTS.tooMany(ALERT_CHANNELS_MAX))
  }
  const id = randomUUID()
  const newName = name ?? ALERT_CHANNEL_LABELS[kind]
  await channelsRepo.insert(inside, {
    ...{ id, user_id: workspaceId, kind, name: newName, hint: shown },
    ...{ destination_sealed: sealed, created_at: clock.now() },
  })
  await added(newName)
  return id
}

/** A chat that sent its code: its user's channel, written with the end of the code. */
export const createKeepLinked =
  (deps: Pick<ChannelsServiceDeps, 'sealer' | 'clock'>) =>
  async (inside: Db, { userId, destination, shown }: LinkedChat): Promise<void> => {
    const adding = { kind: 'telegram', name: undefined, destination, shown, visitor: null } as const
    await keepChannel(inside, asOwner(userId), adding, deps)
  }
