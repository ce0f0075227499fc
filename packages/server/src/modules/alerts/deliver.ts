import { isImportantKind } from '@siarin/contracts/alert-kinds'
import { ALERT_TEXTS, summaryWords } from '@siarin/contracts/alert-texts'
import { Secret } from '@siarin/media/secret'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { backoffMs } from '../../platform/due-rows.ts'
import type { Log } from '../../platform/log.ts'
import type { Sealer } from '../../platform/secrets/seal.ts'
import type { Timings } from '../../platform/timings.ts'
import { isAlertKind, pathOf, wordsOf } from './alert-views.ts'
import { switchOffGone } from './channel-gone.ts'
import type { AlertMessage, ChannelKind, Send, SendOutcome } from './channels/channel.ts'
import {
  type ChannelRow,
  countTry,
  type DeliveriesRepo,
  finish,
  LONGEST_RETRY_MS,
  letGo,
  type WaitingRow,
} from './deliveries.repo.ts'
import { settingsRepo } from './settings.repo.ts'

export interface DeliverDeps {
  readonly db: Db
  readonly repo: DeliveriesRepo
  readonly senders: Readonly<Record<ChannelKind, Send | null>>
  readonly sealer: Sealer
  readonly clock: Clock
  readonly log: Log
  readonly timings: Pick<Timings, 'alerts'>
  /** Null: the operator has set none. */
  readonly publicUrl: string | null
  readonly random?: () => number
  /** The program ends: what is not answered by then is sent again, under the same id. */
  readonly ending?: AbortSignal
}

/** A message that nobody took for so long is old news; it stays in the list of the app. */
const GIVEN_UP_AFTER_MS = 12 * 3_600_000
const LONGEST_WAIT_MS = 30 * 60_000
/** One that moves again and again is tried as seldom as one that fails. */
const MOVES_AT_ONCE = 2
const ANSWER_MAX = 300

/** Sends a claimed channel its next message, and writes down what came of it. */
export function createDeliver(deps: DeliverDeps) {
  const { db, repo, clock } = deps
  return async function deliver(held: ChannelRow): Promise<void> {
    const rows = await repo.next(held, clock.now())
    const [head] = rows ?? []
    if (!rows || !head) return
    const settingsOf = await settingsRepo.of(db, [held.user_id])
    const message = messageOf(rows, settingsOf(held.user_id).zone, deps.publicUrl)
    const outcome = await sendBounded(deps, held, message)
    await repo.whileHeld(held, (inside) =>
      outcome === null ? letGo(inside, held.id, {}) : noteOutcome(inside, { held, rows, outcome }, deps),
    )
  }
}

function messageOf(rows: readonly WaitingRow[], zone: string, publicUrl: string | null): AlertMessage {
  const [head] = rows
  if (!head) throw new Error('a message of nothing')
  const words = rows.map((row) => wordsOf(row, zone))
  const isOne = rows.length === 1 && head.bundle === null
  const path = isOne ? pathOf(head.kind, head.subjectId) : '/fitur/notifikasi'
  const one = words[0] ?? { title: '', text: '' }
  return {
    id: head.bundle ?? `al-${head.id}`,
    ...(isOne ? one : summaryWords(words.map(({ title }) => title))),
    url: publicUrl && path ? `${publicUrl}${path}` : null,
    isImportant: rows.some(({ kind }) => isAlertKind(kind) && isImportantKind(kind)),
    topic: isOne ? head.topic : 'summary',
  }
}

type SendDeps = Pick<DeliverDeps, 'senders' | 'sealer' | 'timings' | 'log' | 'ending'>

/** Whatever the other side does, there is an outcome after the bound. Null: the program ends. */
export async function sendBounded(
  { senders, sealer, timings, log, ending }: SendDeps,
  channel: Pick<ChannelRow, 'id' | 'kind' | 'destination_sealed'>,
  message: AlertMessage,
): Promise<SendOutcome | null> {
  const send = senders[channel.kind as ChannelKind]
  if (!send) return { kind: 'later', afterMs: LONGEST_WAIT_MS, answer: ALERT_TEXTS.notOffered }
  const late = AbortSignal.timeout(timings.alerts.sendMs)
  const signal = ending ? AbortSignal.any([late, ending]) : late
  const destination = sealer.open(channel.destination_sealed).reveal()
  const outcome = await Promise.race([send(destination, message, signal), aborted(signal)]).catch((error: Error) => {
    // Its message may name the address, which is a secret.
    log.warn({ channel: channel.id, kind: channel.kind, error: error.name }, 'an alert could not be sent')
    return { kind: 'later', afterMs: null, answer: ALERT_TEXTS.unreachable } as const
  })
  if (ending?.aborted && outcome.kind !== 'sent') return null
  return { ...outcome, answer: outcome.answer.slice(0, ANSWER_MAX) }
}

/** Also where a sender does not listen. */
const aborted = (signal: AbortSignal): Promise<SendOutcome> =>
  new Promise((resolve) => {
    const end = () => resolve({ kind: 'later', afterMs: null, answer: ALERT_TEXTS.timedOut })
    if (signal.aborted) end()
    else signal.addEventListener('abort', end, { once: true })
  })

interface Tried {
  readonly held: ChannelRow
  readonly rows: readonly WaitingRow[]
  readonly outcome: SendOutcome
}

async function noteOutcome(inside: Db, { held, rows, outcome }: Tried, deps: DeliverDeps): Promise<void> {
  const now = deps.clock.now()
  const ids = rows.map(({ id }) => id)
  const said = { last_at: now, last_ok: outcome.kind === 'sent' ? 1 : 0, last_answer: outcome.answer }
  switch (outcome.kind) {
    case 'sent':
      await finish(inside, ids, 'sent', now)
      await inside
        .updateTable('alert_channels')
        .set(({ eb }) => ({ hour_count: eb('hour_count', '+', 1) }))
        .where('id', '=', held.id)
        .execute()
      await letGo(inside, held.id, { ...said, retry_at: null })
      return
    case 'refused':
      await finish(inside, ids, 'refused', now)
      await letGo(inside, held.id, { ...said, retry_at: null })
      return
    case 'gone':
      await switchOffGone(inside, held, { now, answer: outcome.answer })
      return
    case 'moved': {
      await countTry(inside, ids)
      const sealed = { destination_sealed: deps.sealer.seal(new Secret(outcome.destination)) }
      const tries = rows[0]?.tries ?? 0
      const retryAt = tries < MOVES_AT_ONCE ? null : now + waitOf(tries, null, deps)
      await letGo(inside, held.id, { ...sealed, retry_at: retryAt })
      return
    }
    case 'later': {
      // What quiet hours held back is as old as their end.
      const since = Math.max(...rows.map(({ createdAt, dueAt }) => Math.max(createdAt, dueAt)))
      const isTooOld = now >= since + GIVEN_UP_AFTER_MS
      if (isTooOld) await finish(inside, ids, 'given-up', now)
      else await countTry(inside, ids)
      const waitMs = waitOf(rows[0]?.tries ?? 0, outcome.afterMs, deps)
      await letGo(inside, held.id, { ...said, retry_at: now + waitMs })
    }
  }
}

/** As long as the other side asks for, if that is longer; but what it asks for has a bound. */
function waitOf(tries: number, afterMs: number | null, { timings, random = Math.random }: DeliverDeps): number {
  const { firstRetryMs: firstMs } = timings.alerts
  const ownMs = backoffMs(tries, { firstMs, longestMs: LONGEST_WAIT_MS }, random())
  return Math.min(LONGEST_RETRY_MS, Math.max(ownMs, Math.ceil(afterMs ?? 0)))
}
