import { normalizeEmail, normalizeUsername } from '@siarin/contracts/auth'
import type { PlanId } from '@siarin/contracts/plans'
import { StandingState } from '@siarin/contracts/standing'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { createOperatorStreamsRepo } from '../broadcasts/store/operator-streams.repo.ts'
import { createOperatorRepo } from '../identity/operator.repo.ts'
import { type LibraryUsage, usageByOwner } from '../library/library-usage.repo.ts'
import { judgeStanding } from '../plans/judge-standing.ts'

interface PeopleDeps {
  readonly db: Db
  readonly clock: Clock
  readonly trialDays: number
}

type UserRow = Awaited<ReturnType<ReturnType<typeof createOperatorRepo>['all']>>[number]

export type Person = NonNullable<Awaited<ReturnType<ReturnType<typeof createPeople>['find']>>>

/** Deleting: its owner has asked for it, and it goes as soon as everything has let go of it. */
export const PERSON_STATES = [...StandingState.options, 'deleting'] as const

const NOTHING: LibraryUsage = { videos: 0, videoBytes: 0, roomBytes: 0 }

/** Users as the operator sees them, with what each of them has. */
export function createPeople({ db, clock, trialDays }: PeopleDeps) {
  const users = createOperatorRepo(db)

  const toPerson = (row: UserRow, usage: LibraryUsage | undefined, streams: number | undefined) => {
    const plan = row.plan as PlanId
    const facts = {
      plan,
      trialSince: row.plan_since ?? row.created_at,
      planUntil: row.plan_until,
      suspendedAt: row.suspended_at,
      endedSeenAt: row.ended_seen_at,
    }
    const standing = judgeStanding(facts, clock.now(), trialDays)
    return {
      ...facts,
      ...standing,
      state: row.deleting_at === null ? standing.state : 'deleting',
      id: row.id,
      username: row.username,
      usernameKey: row.username_key,
      email: row.email,
      credit: row.credit,
      planSince: row.plan_since,
      registeredAt: row.created_at,
      lastLoginAt: row.last_login_at,
      streams: streams ?? 0,
      ...(usage ?? NOTHING),
    }
  }

  const ownedBy = (userId: string | null) =>
    Promise.all([usageByOwner(db, userId), createOperatorStreamsRepo(db).countByUser(userId)])

  return {
    /** Newest first. */
    async all() {
      const [rows, [usage, streams]] = await Promise.all([users.all(), ownedBy(null)])
      return rows.map((row) => toPerson(row, usage.get(row.id), streams.get(row.id)))
    },
    /** By e-mail address or username; null: there is nobody. */
    async find(who: string) {
      // A user who took somebody's address for a name must not be taken for that person.
      const row = who.includes('@')
        ? await users.byEmail(normalizeEmail(who))
        : await users.byUsernameKey(normalizeUsername(who))
      if (!row) return null
      const [usage, streams] = await ownedBy(row.id)
      return toPerson(row, usage.get(row.id), streams.get(row.id))
    },
  }
}
