import type { ClockTrust } from '../../platform/clock-trust.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Log } from '../../platform/log.ts'
import type { Lines } from './lines.ts'
import type { Material } from './material.ts'
import { foldParts } from './parts.ts'
import type { RecordingRow, RecordingsRepo } from './recordings.repo.ts'
import type { Sent } from './sent.ts'

interface FollowDeps {
  readonly db: Db
  readonly repo: Pick<RecordingsRepo, 'open' | 'end' | 'keepVideos' | 'endedAfter' | 'keeping'>
  readonly sent: Sent
  readonly material: Pick<Material, 'summaryOf' | 'forget'>
  readonly lines: Pick<Lines, 'forget'>
  readonly daysOf: (userId: string) => Promise<{ days: number }>
  readonly trust: ClockTrust
  readonly log: Log
  /** How long one lasts at most. */
  readonly maxMs: number
}

const DAY_MS = 86_400_000
const ROWS_AT_ONCE = 200

/** Looks after the recordings that are being made. Several programs may: the row decides who ends one. */
export function createFollow({ db, repo, sent, material, lines, daysOf, trust, log, maxMs }: FollowDeps) {
  /** Whose videos this program has written down as needed. What is sent from then on, its broadcast keeps. */
  const kept = new Set<string>()

  async function end(row: RecordingRow, at: number, { goesOn, why }: { goesOn: boolean; why: string | null }) {
    const { ms, bytes, interruptions, videoIds, lastAt, parts } = await material.summaryOf(row, goesOn ? at : null)
    // Where a clock was put back, what was sent last is later than its end.
    const toAt = goesOn ? at : Math.min(row.from_at + maxMs, Math.max(at, Math.ceil(lastAt ?? row.from_at)))
    const { days } = await daysOf(row.user_id)
    const ended = await repo.end(row, {
      ...{ ms, bytes: Math.round(bytes), interruptions, videoIds: [...videoIds], parts: foldParts(parts) },
      ...{ toAt, why, goesOn, keptUntil: toAt + days * DAY_MS },
    })
    material.forget(row.id)
    lines.forget(row.id)
    if (ended) log.info({ recordingId: row.id, number: row.number, ms, goesOn }, 'a recording has ended')
  }

  /** Once: a version that knew of no recordings may have let go of them. */
  async function keepVideos(row: RecordingRow): Promise<void> {
    if (row.online === 1 || kept.has(row.id)) return
    const { videoIds } = await material.summaryOf(row, null)
    await repo.keepVideos(row, [...videoIds])
    kept.add(row.id)
  }

  async function keepAgain(row: RecordingRow): Promise<void> {
    try {
      await repo.keepVideos(row, [...(await material.summaryOf(row, row.to_at)).videoIds])
    } catch (error) {
      log.warn({ err: error, recordingId: row.id }, 'the videos of a recording could not be kept')
    }
  }

  /** `over`: when its broadcast ended; null: it is wanted. */
  async function isFull(row: RecordingRow, fullAt: number, over: number | null): Promise<boolean> {
    const { now, isSure } = await trust()
    // By a clock that may be ahead none is full: it would end, and what is sent then be in none. It can be cut at its time later.
    if (over === null && !(isSure && fullAt <= now)) return false
    const { reachedAt, isOnAir } = await reachOf(sent(db), row.broadcast_id)
    // What is on air goes by the clock as it was when it began. Were it cut by another one, the rest of it would be in none.
    if (over === null) return !isOnAir || fullAt <= reachedAt
    return fullAt <= Math.max(over, reachedAt)
  }

  /** True: there may be another one to look after now. */
  async function followOne(row: RecordingRow): Promise<boolean> {
    const broadcast = await sent(db).broadcastOf(row.broadcast_id)
    const over = broadcast ? broadcast.endedAt : row.from_at
    const fullAt = row.from_at + maxMs
    if (await isFull(row, fullAt, over)) {
      await end(row, fullAt, { goesOn: true, why: null })
      return true
    }
    if (over === null) await keepVideos(row)
    else await end(row, over, { goesOn: false, why: null })
    return false
  }

  return {
    end,
    /** At the start: a version that knew of no recordings has let go of the videos that ended ones need. */
    async restoreKept(): Promise<void> {
      for (let after = ''; ; ) {
        const rows = await repo.endedAfter(after, ROWS_AT_ONCE)
        const last = rows.at(-1)
        if (!last) return
        const keeping = await repo.keeping(rows.map(({ id }) => id))
        for (const row of rows) {
          if (!keeping.has(row.id)) await keepAgain(row)
        }
        after = last.id
      }
    },
    async all(): Promise<void> {
      for (let again = true; again; ) {
        again = false
        const rows = await repo.open()
        const open = new Set(rows.map(({ id }) => id))
        // Ended here or by another program, or gone with its account.
        for (const id of kept) if (!open.has(id)) kept.delete(id)
        for (const row of rows) {
          const isSplit = await followOne(row).catch((error) => {
            log.warn({ err: error, recordingId: row.id }, 'a recording could not be looked after')
            return false
          })
          again ||= isSplit
        }
      }
    },
  }
}

/** How far the streams of a broadcast have come. */
async function reachOf(
  sent: Pick<ReturnType<Sent>, 'streamsOf' | 'lastOf'>,
  broadcastId: string,
): Promise<{ reachedAt: number; isOnAir: boolean }> {
  let reachedAt = Number.NEGATIVE_INFINITY
  let isOnAir = false
  for (const stream of await sent.streamsOf(broadcastId, null)) {
    const last = await sent.lastOf(stream)
    if (!last) continue
    reachedAt = Math.max(reachedAt, last.at + last.ms)
    isOnAir ||= last.isOpen
  }
  return { reachedAt, isOnAir }
}
