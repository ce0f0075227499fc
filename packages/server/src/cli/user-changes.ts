import { PLAN_IDS, type PlanId } from '@siarin/contracts/plans'
import { createActivityRepo } from '../modules/activity/activity.repo.ts'
import { CREDIT_MAX } from '../modules/identity/operator.repo.ts'
import { createOperatorChanges, type OperatorChanges } from '../modules/operators/operator-changes.ts'
import type { Person } from '../modules/operators/people.ts'
import {
  argOf,
  type CliContext,
  type DatabaseCommand,
  oneOf,
  Refusal,
  textOf,
  UsageError,
  wholeNumber,
} from './command.ts'
import { isoOrNull, localTime } from './dates.ts'
import { peopleOf } from './people.ts'
import { type PlanPeriod, periodEnd, readPeriod } from './plan-period.ts'
import { unenforcedNote, WHO } from './user-commands.ts'
import { personJson } from './user-views.ts'

const REASON_MAX = 200
/** Far below what a date can hold. */
const LATEST_END = Date.UTC(2200, 0, 1)
const DAY_MS = 86_400_000
const SAME_SITTING_MS = 10 * 60_000

/** Finds the person, makes the change, and answers how the person stands then. */
async function changePerson(
  context: CliContext,
  who: string,
  change: (changes: OperatorChanges, person: Person) => Promise<boolean>,
) {
  const people = peopleOf(context)
  const before = await people.findForChange(who)
  const changed = await change(createOperatorChanges(context), before)
  const person = await people.find(before.email)
  return { before, person, changed, json: { user: personJson(person), changed }, beside: unenforcedNote(context) }
}

const planWords = ({ plan, endsAt }: Person): string =>
  `${plan} ${endsAt === null ? 'without an end' : `until ${localTime(endsAt)}`}`

/** What was paid for and is not given any more; empty where nothing is. */
function droppedWords(before: Person, plan: PlanId, now: number): string {
  if (before.plan === plan || before.plan === 'free-trial') return ''
  if (before.endsAt === null) return `\nDropped: ${before.plan} without an end.`
  if (before.endsAt <= now) return ''
  const days = Math.floor((before.endsAt - now) / DAY_MS)
  return `\nDropped: the rest of ${before.plan}, ${days === 0 ? 'less than a day' : `${days} day${days === 1 ? '' : 's'}`}.`
}

/** The same line sent twice is a month too many. */
function againWords(before: Person, plan: PlanId, lastChangeAt: number | null, now: number): string {
  if (before.plan !== plan || plan === 'free-trial') return ''
  if (lastChangeAt === null || now - lastChangeAt > SAME_SITTING_MS) return ''
  const seconds = Math.max(0, Math.round((now - lastChangeAt) / 1000))
  return `\nLook: this plan was changed ${seconds} s before as well. If that is once too often, say the right end with --until.`
}

export const userSetPlan: DatabaseCommand = {
  name: 'user set-plan',
  args: ['who', 'plan'],
  summary: 'give a user a plan, renew it, or take it back',
  details: [
    WHO,
    `<plan> is one of ${PLAN_IDS.join(', ')}.`,
    'Without an option it is for one month: from now, or from the end of the running period when the same plan is renewed.',
    'Broadcasts that run go on; the new limits count from the next start.',
    '',
    'To take a plan back (refund, mistake): free-trial. The trial counts from the registration and has no period: whoever registered',
    'longer ago has ended at once. Broadcasts stop at the end of the pass, the videos stay for 14 days from now.',
  ],
  options: {
    until: { value: 'YYYY-MM-DD', help: 'to the end of this day, in the time zone that TZ names' },
    days: { value: 'N', help: 'for so many days' },
    months: { value: 'N', help: 'for so many months' },
    forever: { help: 'without an end' },
  },
  examples: [
    'user set-plan budi@gmail.com starter',
    'user set-plan budi creator-pro --months 12',
    'user set-plan budi business --until 2027-01-31',
    'user set-plan budi business --forever',
    'user set-plan budi free-trial',
  ],
  prepare(args) {
    const plan = oneOf(argOf(args, 1), '<plan>', PLAN_IDS)
    const period = readPeriod(args)
    const isTrial = plan === 'free-trial'
    if (isTrial && !isDefault(period))
      throw new UsageError('free-trial counts from the registration: it takes no period')
    return async (context) => {
      const now = context.clock.now()
      let lastChangeAt: number | null = null
      const { before, person, json, beside } = await changePerson(context, argOf(args, 0), async (changes, has) => {
        lastChangeAt = await createActivityRepo(context.db).lastAt(has.id, 'plan-changed')
        if (!isTrial && has.plan === plan && has.planUntil === null && isDefault(period)) {
          throw new Refusal(
            `${has.username} has ${plan} without an end; say --until, --days or --months to give it one`,
          )
        }
        const until = isTrial ? null : periodEnd(period, has, plan, now)
        if (until !== null && until <= now) throw new UsageError('--until must be a day to come')
        if (until !== null && until > LATEST_END)
          throw new UsageError('no plan ends after the year 2199: say --forever')
        if (await changes.setPlan(has, plan, until)) return true
        throw new Refusal(`somebody else has changed the plan of ${has.username} at this moment; look, and try again`)
      })
      const changed = `${person.username} had ${planWords(before)}, has ${planWords(person)} (${person.state}).`
      return {
        ...beside,
        json: { ...json, before: { plan: before.plan, endsAt: isoOrNull(before.endsAt) } },
        text: changed + droppedWords(before, plan, now) + againWords(before, plan, lastChangeAt, now),
      }
    }
  },
}

const isDefault = (period: PlanPeriod): boolean => period.kind === 'months' && !period.asked

export const userAddCredit: DatabaseCommand = {
  name: 'user add-credit',
  args: ['who', 'amount'],
  summary: 'add to the credit of a user, or take from it',
  details: [WHO, '<amount> is in whole rupiah; a negative one takes away. The credit never falls below 0.'],
  options: {},
  examples: ['user add-credit budi@gmail.com 50000', 'user add-credit budi -20000'],
  prepare(args) {
    const amount = wholeNumber(argOf(args, 1), '<amount>', -CREDIT_MAX, CREDIT_MAX)
    if (amount === 0) throw new UsageError('<amount> must not be 0')
    return async (context) => {
      const { person, json } = await changePerson(context, argOf(args, 0), async (changes, has) => {
        if (await changes.addCredit(has.id, amount)) return true
        const bound = amount < 0 ? 'below 0' : `above ${CREDIT_MAX}`
        throw new Refusal(`${has.username} has ${has.credit}: with ${amount} it would be ${bound}`)
      })
      const text = `${person.username} has a credit of ${person.credit}.`
      return { json: { ...json, added: amount }, text }
    }
  },
}

export const userSuspend: DatabaseCommand = {
  name: 'user suspend',
  args: ['who'],
  summary: 'stop a user: broadcasts end within seconds, every feature is refused',
  details: [WHO, 'Nothing is deleted. The user stays logged in, and is told to ask the administrator.'],
  options: { reason: { value: 'TEXT', help: `goes into the user's activity, at most ${REASON_MAX} characters` } },
  examples: ['user suspend budi@gmail.com --reason "Pembayaran ditolak"'],
  prepare(args) {
    const reason = textOf(args, 'reason') ?? ''
    if (reason.length > REASON_MAX) throw new UsageError(`--reason must have at most ${REASON_MAX} characters`)
    return async (context) => {
      const { person, changed, json, beside } = await changePerson(context, argOf(args, 0), (changes, { id }) =>
        changes.suspend(id, reason),
      )
      const since = localTime(person.suspendedAt)
      const text = changed ? `${person.username} is suspended.` : `${person.username} is suspended since ${since}.`
      return { ...beside, json, text }
    }
  },
}

export const userResume: DatabaseCommand = {
  name: 'user resume',
  args: ['who'],
  summary: 'let a suspended user go on',
  details: [WHO, 'Broadcasts that were ended stay so until the user starts them again.'],
  options: {},
  examples: ['user resume budi@gmail.com'],
  prepare: (args) => async (context) => {
    const { person, changed, json, beside } = await changePerson(context, argOf(args, 0), (changes, { id }) =>
      changes.resume(id),
    )
    const text = changed ? `${person.username} may go on (${person.state}).` : `${person.username} was not suspended.`
    return { ...beside, json, text }
  },
}
