import { PLAN_IDS } from '@siarin/contracts/plans'
import { createActivity } from '../modules/activity/index.ts'
import { createActivityScreenService } from '../modules/activity-screen/activity-screen.service.ts'
import { toActiveStream, toEndedStream } from '../modules/broadcasts/api/stream-views.ts'
import { createStreamsRepo, type NamedStreamRow } from '../modules/broadcasts/store/streams.repo.ts'
import { asOwner, type Caller } from '../modules/identity/caller.ts'
import { PERSON_STATES, type Person } from '../modules/operators/people.ts'
import { argOf, type CliContext, type DatabaseCommand, oneOf, textOf, wholeNumber } from './command.ts'
import { addDays, localTime } from './dates.ts'
import { peopleOf } from './people.ts'
import { table } from './tables.ts'
import { peopleTable, personFacts, personJson } from './user-views.ts'

export const WHO = '<who> is the e-mail address or the username, in quotes where it has spaces.'

const ACTIVITY_SHOWN = 10
const MOST_DAYS = 36_500

export const unenforcedNote = ({ enforced }: CliContext) =>
  enforced ? {} : { note: 'ENFORCE_PLANS is false: plans are kept, and nobody but the suspended is held to anything' }

/** Who still has something to lose, the first to lose it first: in grace, too, since all goes on there. */
const endingBefore = (end: number, people: readonly Person[], now: number): Person[] =>
  people
    .filter(({ state, stopsAt }) => state !== 'deleting' && stopsAt !== null && stopsAt > now)
    .filter(({ endsAt }) => endsAt !== null && endsAt <= end)
    .sort((one, other) => (one.endsAt ?? 0) - (other.endsAt ?? 0))

export const userList: DatabaseCommand = {
  name: 'user list',
  args: [],
  summary: 'list the users, newest first',
  details: [
    'States: active; grace, the 3 days after the end of a paid plan in which all goes on; ended, after them or after the trial:',
    'nothing can be used, and the videos go 14 days later; suspended, by you; deleting, asked for by the user.',
  ],
  options: {
    plan: { value: 'PLAN', help: `only those with this plan: ${PLAN_IDS.join(', ')}` },
    state: { value: 'STATE', help: `only those in this state: ${PERSON_STATES.join(', ')}` },
    'ends-within': {
      value: 'DAYS',
      help: 'only those whose plan or trial ends within so many days or is in grace, soonest first',
    },
    search: { value: 'TEXT', help: 'only those whose username or e-mail address contains it' },
  },
  examples: [
    'user list',
    'user list --ends-within 7',
    'user list --plan starter --state grace',
    'user list --search budi',
    'user list --state ended --json | jq -r ".users[].email"',
  ],
  prepare(args) {
    const [plan, state] = [textOf(args, 'plan'), textOf(args, 'state')]
    const days = textOf(args, 'ends-within')
    const wanted = {
      withinDays: days === undefined ? null : wholeNumber(days, '--ends-within', 1, MOST_DAYS),
      plan: plan && oneOf(plan, '--plan', PLAN_IDS),
      state: state && oneOf(state, '--state', PERSON_STATES),
      text: textOf(args, 'search')?.normalize('NFKC').toLowerCase() ?? '',
    }
    return async (context) => {
      const now = context.clock.now()
      const all = await peopleOf(context).all()
      const people = (
        wanted.withinDays === null ? all : endingBefore(addDays(now, wanted.withinDays), all, now)
      ).filter(
        (person) =>
          (!wanted.plan || person.plan === wanted.plan) &&
          (!wanted.state || person.state === wanted.state) &&
          (person.usernameKey.includes(wanted.text) || person.email.includes(wanted.text)),
      )
      return { json: { users: people.map(personJson) }, text: peopleTable(people), ...unenforcedNote(context) }
    }
  },
}

/** As their owner sees them, but for the address of an online source, which stays sealed. */
const broadcastsIn = ({ db, clock }: CliContext) => {
  const streams = createStreamsRepo(db)
  const sourceOf = ({ source }: NamedStreamRow): string => source
  return {
    active: async ({ workspaceId }: Caller) =>
      (await streams.activeOf(workspaceId)).map((row) => toActiveStream(row, clock.now(), sourceOf)),
    history: async ({ workspaceId }: Caller) =>
      (await streams.endedOf(workspaceId, ACTIVITY_SHOWN)).map((row) => toEndedStream(row, sourceOf)),
  }
}

export const userShow: DatabaseCommand = {
  name: 'user show',
  args: ['who'],
  summary: 'show one user, and what happened last',
  details: [WHO],
  options: {},
  examples: ['user show budi@gmail.com', 'user show budi --json | jq .user.state'],
  prepare: (args) => async (context) => {
    const person = await peopleOf(context).find(argOf(args, 0))
    const { service } = createActivity(context)
    const screen = createActivityScreenService({ ...context, activity: service, streams: broadcastsIn(context) })
    const entries = await screen.recent(asOwner(person.id))
    const activity = entries
      .slice(0, ACTIVITY_SHOWN)
      .map(({ at, kind, text, detail, status }) => ({ at, kind, text, detail, status }))
    const rows = activity.map(({ at, text, detail, status }) => [localTime(Date.parse(at)), status, text, detail ?? ''])
    return {
      json: { user: personJson(person), activity },
      text: `${personFacts(person)}\n\n${table(['AT', 'STATUS', 'ACTIVITY', 'DETAIL'], rows, 'No activity yet.')}`,
      ...unenforcedNote(context),
    }
  },
}
