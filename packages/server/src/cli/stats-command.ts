import { PLAN_IDS } from '@siarin/contracts/plans'
import { StandingState } from '@siarin/contracts/standing'
import { StreamPhase } from '@siarin/contracts/streams'
import type { Person } from '../modules/operators/people.ts'
import { createOperatorStreams } from '../modules/operators/streams.ts'
import { createMachinesRepo, type HeardMachine } from '../modules/system/machines.repo.ts'
import type { DatabaseCommand } from './command.ts'
import { addDays, localDay } from './dates.ts'
import { peopleOf } from './people.ts'
import { columns, plainBytes, table } from './tables.ts'
import { unenforcedNote } from './user-commands.ts'

const DAYS_SHOWN = 7

/** Every key is there, also where there is nothing to count. */
const countBy = <K extends string>(keys: readonly K[], found: readonly string[]): Record<K, number> =>
  Object.fromEntries(keys.map((key) => [key, found.filter((each) => each === key).length])) as Record<K, number>

const sumOf = (people: readonly Person[], what: 'videos' | 'videoBytes'): number =>
  people.reduce((sum, person) => sum + person[what], 0)

const section = (title: string, counts: Readonly<Record<string, number | string>>): string =>
  `${title}\n${columns(Object.entries(counts).map(([name, value]) => [`  ${name}`, String(value)]))}`

const MACHINE_COLUMNS = ['MACHINE', 'ROLE', 'VERSION', 'CPU', 'MEMORY', 'DISK', 'STREAMS', 'ROOM', 'HEARD']

const share = (part: number, whole: number): string => `${whole > 0 ? Math.round((part / whole) * 100) : 0}%`

const machineRow = (row: HeardMachine): string[] => [
  row.id,
  row.role,
  row.version,
  ...(row.isGone
    ? ['-', '-', '-', '-', '-']
    : [
        `${Math.round(row.cpu)}%`,
        `${share(row.memory_used, row.memory_total)} of ${plainBytes(row.memory_total)}`,
        `${share(row.disk_used, row.disk_used + row.disk_available)} of ${plainBytes(row.disk_size)}`,
        String(row.streams),
        row.role === 'web' ? '' : String(row.room),
      ]),
  `${Math.round(row.silentMs / 1000)} s ago${row.isGone ? ' (gone)' : ''}`,
]

const machineJson = ({
  host: _,
  memory_total,
  memory_used,
  disk_size,
  disk_used,
  silentMs,
  isGone,
  ...row
}: HeardMachine) => ({
  ...{ id: row.id, role: row.role, version: row.version, gone: isGone, cpu: row.cpu },
  memory: { total: memory_total, used: memory_used },
  disk: { size: disk_size, used: disk_used, available: row.disk_available },
  ...{ streams: row.streams, room: row.room, heardSecondsAgo: Math.round(silentMs / 1000) },
})

export const stats: DatabaseCommand = {
  name: 'stats',
  args: [],
  summary: 'count users, streams, videos and registrations, and show how each machine fares',
  details: ['Machines are listed where web and worker run apart; one that fell silent is listed as gone for a day.'],
  options: {},
  examples: ['stats', 'stats --json | jq .users.byState.grace'],
  prepare: () => async (context) => {
    const { clock } = context
    const people = await peopleOf(context).all()
    const phases = await createOperatorStreams(context).countByPhase()
    const machines = await createMachinesRepo(context.db).all()
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
      /** Empty where one program is all there is. */
      machines: machines.map(machineJson),
    }
    const text = [
      section('Users by plan', { ...json.users.byPlan, total: json.users.total }),
      section('Users by state', json.users.byState),
      section('Streams by phase', json.streams),
      section('Videos', { total: json.videos.total, 'on disk': plainBytes(json.videos.bytes) }),
      section('Registrations of the last 7 days', json.registrations),
      ...(machines.length > 0 ? [`Machines\n${table(MACHINE_COLUMNS, machines.map(machineRow), '')}`] : []),
    ].join('\n\n')
    return { json, text, ...unenforcedNote(context) }
  },
}
