import { PLAN_IDS } from '@siarin/contracts/plans'
import { StandingState } from '@siarin/contracts/standing'
import { StreamPhase } from '@siarin/contracts/streams'
import type { Person } from '../modules/operators/people.ts'
import { createOperatorStreams } from '../modules/operators/streams.ts'
import type { DatabaseCommand } from './command.ts'
import { addDays, localDay } from './dates.ts'
import { peopleOf } from './people.ts'
import { columns, plainBytes } from './tables.ts'
import { unenforcedNote } from './user-commands.ts'

const DAYS_SHOWN = 7

/** Every key is there, also where there is nothing to count. */
const countBy = <K extends string>(keys: readonly K[], found: readonly string[]): Record<K, number> =>
  Object.fromEntries(keys.map((key) => [key, found.filter((each) => each === key).length])) as Record<K, number>

const sumOf = (people: readonly Person[], what: 'videos' | 'videoBytes'): number =>
  people.reduce((sum, person) => sum + person[what], 0)

const section = (title: string, counts: Readonly<Record<string, number | string>>): string =>
  `${title}\n${columns(Object.entries(counts).map(([name, value]) => [`  ${name}`, String(value)]))}`

export const stats: DatabaseCommand = {
  name: 'stats',
  args: [],
  summary: 'count users, streams, videos and registrations',
  details: [],
  options: {},
  examples: ['stats', 'stats --json | jq .users.byState.grace'],
  prepare: () => async (context) => {
    const { clock } = context
    const people = await peopleOf(context).all()
    const phases = await createOperatorStreams(context).countByPhase()
    const lastDays = Array.from({ length: DAYS_SHOWN }, (_, back) => localDay(addDays(clock.now(), -back)))
    const json = {
      users: {
        total: people.length,
        byPlan: countBy(
          PLAN_IDS,
          people.map(({ plan }) => plan),
        ),
        byState: countBy(
          StandingState.options,
          people.map(({ state }) => state),
        ),
      },
      streams: Object.fromEntries(StreamPhase.options.map((phase) => [phase, phases.get(phase) ?? 0])),
      videos: { total: sumOf(people, 'videos'), bytes: sumOf(people, 'videoBytes') },
      /** By day, today first. */
      registrations: countBy(
        lastDays,
        people.map(({ registeredAt }) => localDay(registeredAt)),
      ),
    }
    const text = [
      section('Users by plan', { ...json.users.byPlan, total: json.users.total }),
      section('Users by state', json.users.byState),
      section('Streams by phase', json.streams),
      section('Videos', { total: json.videos.total, 'on disk': plainBytes(json.videos.bytes) }),
      section('Registrations of the last 7 days', json.registrations),
    ].join('\n\n')
    return { json, text, ...unenforcedNote(context) }
  },
}
