import type { Person } from '../modules/operators/people.ts'
import { isoOrNull, localTime } from './dates.ts'
import { columns, plainBytes, table } from './tables.ts'

export const personJson = (person: Person) => ({
  id: person.id,
  username: person.username,
  email: person.email,
  plan: person.plan,
  state: person.state,
  planSince: isoOrNull(person.planSince),
  endsAt: isoOrNull(person.endsAt),
  stopsAt: isoOrNull(person.stopsAt),
  suspendedAt: isoOrNull(person.suspendedAt),
  credit: person.credit,
  registeredAt: isoOrNull(person.registeredAt),
  lastLoginAt: isoOrNull(person.lastLoginAt),
  streams: person.streams,
  videos: person.videos,
  videoBytes: person.videoBytes,
  roomBytes: person.roomBytes,
})

const endOf = ({ endsAt }: Person): string => (endsAt === null ? 'never' : localTime(endsAt))

export const peopleTable = (people: readonly Person[]): string =>
  table(
    ['USERNAME', 'EMAIL', 'PLAN', 'STATE', 'ENDS', 'ALL STOPS', 'CREDIT', 'STREAMS', 'VIDEOS', 'REGISTERED'],
    people.map((person) => [
      person.username,
      person.email,
      person.plan,
      person.state,
      endOf(person),
      // Elsewhere it says nothing that its end does not say.
      person.state === 'grace' ? localTime(person.stopsAt) : '',
      String(person.credit),
      String(person.streams),
      String(person.videos),
      localTime(person.registeredAt),
    ]),
    'No user matches.',
  )

export const personFacts = (person: Person): string =>
  columns([
    ['Username', person.username],
    ['Email', person.email],
    ['Plan', person.plan],
    ['State', person.state],
    ['Plan ends', endOf(person)],
    ['All stops', person.stopsAt === null ? 'never' : localTime(person.stopsAt)],
    ['Suspended', localTime(person.suspendedAt)],
    ['Credit', String(person.credit)],
    ['Registered', localTime(person.registeredAt)],
    ['Last login', localTime(person.lastLoginAt)],
    ['On air', `${person.streams} streams`],
    ['Videos', `${person.videos}: counts ${plainBytes(person.roomBytes)}, on disk ${plainBytes(person.videoBytes)}`],
  ])
