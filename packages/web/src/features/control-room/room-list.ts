import { PLATFORM_FACTS, type Platform } from '@siarin/contracts/platforms'
import { ROOM_GROUPS, type RoomGroup, type RoomRow } from './room-row.ts'

export interface RoomFilter {
  readonly words: string
  /** Empty: all of them. */
  readonly platform: Platform | ''
  readonly group: RoomGroup | ''
}

export const NO_FILTER: RoomFilter = { words: '', platform: '', group: '' }

const textOf = ({ name, source, targets }: RoomRow): string =>
  [name, source, ...targets.flatMap((target) => [target.name, PLATFORM_FACTS[target.platform].label])]
    .join(' ')
    .toLocaleLowerCase('id')

/** Each of the words stands somewhere in its name, its source or its targets. */
export function matches(row: RoomRow, { words, platform, group }: RoomFilter): boolean {
  if (group && row.group !== group) return false
  if (platform && !row.targets.some((target) => target.platform === platform)) return false
  const text = textOf(row)
  return words
    .toLocaleLowerCase('id')
    .split(/\s+/)
    .every((word) => text.includes(word))
}

/** The row of a broadcast, by its id or by that of one of its streams. */
export const rowOf = (rows: readonly RoomRow[], id: string | null): RoomRow | undefined =>
  id === null ? undefined : rows.find((row) => row.id === id || row.targets.some(({ streamId }) => streamId === id))

/** What nobody sees comes before what some see, and that before what is over. */
const urgency = ({ isOpen, onAirSince }: RoomRow): number => (isOpen ? (onAirSince === null ? 0 : 1) : 2)

/** Newest first: rows keep their places while they run. */
const newest = (one: RoomRow, other: RoomRow): number =>
  (other.endedAt ?? other.startedAt).localeCompare(one.endedAt ?? one.startedAt) || one.id.localeCompare(other.id)

export interface RoomSection {
  readonly group: RoomGroup
  readonly rows: readonly RoomRow[]
}

/** By state, trouble first; states without rows are left out. */
export function sectionsOf(rows: readonly RoomRow[], filter: RoomFilter): RoomSection[] {
  const shown = rows.filter((row) => matches(row, filter))
  return ROOM_GROUPS.map((group) => ({
    group,
    rows: shown
      .filter((row) => row.group === group)
      .sort((one, other) => (group === 'attention' ? urgency(one) - urgency(other) : 0) || newest(one, other)),
  })).filter((section) => section.rows.length > 0)
}

export interface PaintedSection extends RoomSection {
  readonly painted: readonly RoomRow[]
}

/** Paints no more than so many rows in all, from the top. */
export function firstRows(sections: readonly RoomSection[], count: number): PaintedSection[] {
  let left = count
  return sections.flatMap((section) => {
    const painted = section.rows.slice(0, Math.max(0, left))
    left -= painted.length
    return painted.length > 0 ? [{ ...section, painted }] : []
  })
}
