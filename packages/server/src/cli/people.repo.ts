import { normalizeEmail, normalizeUsername } from '@siarin/contracts/auth'
import type { PlanId } from '@siarin/contracts/plans'
import { StandingState } from '@siarin/contracts/standing'
import { isWanted } from '../modules/broadcasts/store/wanted-streams.ts'
import { diskBytes, roomBytes } from '../modules/library/library.repo.ts'
import { judgeStanding } from '../modules/plans/judge-standing.ts'
import { type Office, Refusal } from './command.ts'

export type Person = Awaited<ReturnType<ReturnType<typeof createPeopleRepo>['find']>>

/** Deleting: its owner has asked for it, and it goes as soon as everything has let go of it. */
export const PERSON_STATES = [...StandingState.options, 'deleting'] as const

/** Users as the operator sees them: neither keys nor hashes are read. */
export function createPeopleRepo({ db, clock, trialDays }: Office) {
  const people = () =>
    db
      .selectFrom('users')
      .select([
        'id',
        'username',
        'username_key',
        'email',
        'credit',
        'plan',
        'plan_since',
        'plan_until',
        'ended_seen_at',
      ])
      .select(['suspended_at', 'created_at', 'deleting_at'])
      .select((eb) => [
        eb
          .selectFrom('sessions')
          .select((of) => of.fn.max('sessions.created_at').as('at'))
          .whereRef('sessions.user_id', '=', 'users.id')
          .as('last_login_at'),
        eb
          .selectFrom('streams')
          .select((of) => of.fn.countAll<number>().as('count'))
          .whereRef('streams.user_id', '=', 'users.id')
          .where(isWanted)
          .as('streams'),
        eb
          .selectFrom('videos')
          .select((of) => of.fn.countAll<number>().as('count'))
          .whereRef('videos.user_id', '=', 'users.id')
          .as('videos'),
        eb
          .selectFrom('videos')
          .select(diskBytes.as('bytes'))
          .whereRef('videos.user_id', '=', 'users.id')
          .as('video_bytes'),
        eb
          .selectFrom('videos')
          .select(roomBytes.as('bytes'))
          .whereRef('videos.user_id', '=', 'users.id')
          .as('room_bytes'),
      ])

  const toPerson = (row: Awaited<ReturnType<ReturnType<typeof people>['execute']>>[number]) => {
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
      streams: Number(row.streams),
      videos: Number(row.videos),
      /** On disk, of originals and masters. */
      videoBytes: Number(row.video_bytes),
      /** What counts against the plan's room, as the user reads it. */
      roomBytes: Number(row.room_bytes ?? 0),
    }
  }

  async function find(who: string) {
    // Whoever took somebody's address for a name must not be taken for that person.
    const isEmail = who.includes('@')
    const row = await people()
      .where(isEmail ? 'email' : 'username_key', '=', isEmail ? normalizeEmail(who) : normalizeUsername(who))
      .executeTakeFirst()
    if (!row) throw new Refusal(`there is no user ${isEmail ? 'with the e-mail address' : 'named'} '${who}'`)
    return toPerson(row)
  }

  return {
    /** Newest first. */
    async all() {
      return (await people().orderBy('created_at', 'desc').orderBy('id').execute()).map(toPerson)
    },
    find,
    async findForChange(who: string) {
      const person = await find(who)
      if (person.state === 'deleting') throw new Refusal(`${person.username} is being deleted: nothing can be changed`)
      return person
    },
  }
}
