import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Course, firstPlace, isSamePlace, nextPlace, type Place } from './next-item.ts'
import { readSkips, skipsAfter } from './skips.ts'

const courseOf = (count: number, shuffle: boolean, skips: readonly Place[] = []): Course => ({
  items: Array.from({ length: count }, (_, position) => ({ id: `i${position}`, position })),
  removed: [],
  ordering: { shuffle, seed: 's', startItemId: null },
  looping: true,
  skips,
})

/** Which place a list has come to after so many steps, each to the next in order. */
function orderOf(course: Course, count: number): Place[] {
  const places = [firstPlace(course.items, course.ordering) as Place]
  while (places.length < count) places.push(nextPlace(places.at(-1) as Place, { ...course, skips: [] }) as Place)
  return places
}

const at = (index: number, round = 0): Place => ({ itemId: `i${index}`, round })

/** What happens to a broadcast with two streams: one comes to its next item, or somebody skips. */
const steps = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant('join' as const), stream: fc.nat(1) }),
    // Late: the stream has come to its next item, and the row does not say so yet.
    fc.record({ kind: fc.constant('skip' as const), stream: fc.nat(1), isLate: fc.boolean() }),
  ),
  { maxLength: 60 },
)

describe('[LIST-02] skips', () => {
  it('[SAFE-07] look at the list a few times in all: not for each stream, and not for each skip that waits already', () => {
    const course = courseOf(500, true)
    const places = orderOf(course, 900)
    let looks = 0
    const items = course.items.map(({ id, position }) => ({
      position,
      get id() {
        looks++
        return id
      },
    }))
    // In the second round the order depends on the one before it.
    const waiting = places.slice(601, 800)
    const streams = Array.from({ length: 20 }, () => ({
      place: places[600] as Place,
      course: { ...course, items, skips: waiting },
    }))
    const found = skipsAfter(streams[0] as (typeof streams)[number], streams)
    expect(looks).toBeLessThan(10 * items.length)
    expect(found?.get(streams[19] as (typeof streams)[number])).toEqual([...waiting, places[800]])
  })

  it('are the same where the item that plays was removed', () => {
    const { items, ...course } = courseOf(6, false)
    const removed = items.filter(({ id }) => id === 'i2')
    const left = { ...course, removed, items: items.filter(({ id }) => id !== 'i2') }
    const stream = { place: at(2), course: { ...left, skips: [at(1), at(3)] } }
    expect(skipsAfter(stream, [stream])?.get(stream)).toEqual([at(3), at(4)])
  })

  it('each leave out one item at every stream, whatever comes between them', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 7 }), fc.boolean(), steps, (count, shuffle, history) => {
        const all = orderOf(courseOf(count, shuffle), 400)
        const indexOf = (place: Place): number => all.findIndex((each) => isSamePlace(each, place))
        const streams = [0, 1].map(() => ({ place: all[0] as Place, joins: 0, skips: [] as Place[] }))
        let asked = 0
        const join = (stream: (typeof streams)[number]): void => {
          stream.place = nextPlace(stream.place, courseOf(count, shuffle, stream.skips)) as Place
          stream.joins++
        }
        for (const step of history) {
          const stream = streams[step.stream]
          if (!stream) continue
          if (step.kind === 'join') {
            join(stream)
            continue
          }
          const rows = streams.map(({ place, skips }) => ({ place, course: courseOf(count, shuffle, skips) }))
          if (step.isLate) join(stream)
          const found = skipsAfter(rows[step.stream] as (typeof rows)[number], rows)
          if (!found) continue
          asked++
          for (const [index, each] of streams.entries()) each.skips = found.get(rows[index] as never) ?? []
        }
        // Until both have passed all that was asked for: then they are at the same item.
        for (const stream of streams) for (let more = 0; more < 3; more++) join(stream)
        const far = Math.max(...streams.flatMap(({ place, skips }) => [place, ...skips].map(indexOf))) + 2
        for (const stream of streams) while (indexOf(stream.place) < far) join(stream)
        for (const stream of streams) expect(indexOf(stream.place) - stream.joins).toBe(asked)
      }),
    )
  })

  it('are forgotten once they are passed, and of an earlier version not read', () => {
    const skips = [at(1), at(2), at(0, 1)]
    const [early, late] = [at(2), at(3, 1)].map((place) => ({ place, course: courseOf(4, false, skips) }))
    if (!early || !late) throw new Error('no streams')
    const found = skipsAfter(early, [early, late])
    // The one that it plays already counts until it is over. One that is further ahead leaves out what comes next there.
    expect([found?.get(early), found?.get(late)]).toEqual([[at(2), at(0, 1), at(1, 1)], [at(0, 2)]])
    expect(readSkips(JSON.stringify({ from: at(0), to: at(2) }))).toEqual([])
    expect(readSkips(null)).toEqual([])
  })

  it('are the same for all, also where one plays already what would come next', () => {
    const [first, second] = [at(0), at(1)].map((place) => ({ place, course: courseOf(4, false) }))
    if (!first || !second) throw new Error('no streams')
    expect([...(skipsAfter(first, [first, second])?.values() ?? [])]).toEqual([[at(2)], [at(2)]])
  })

  it('end where nothing would be left to play', () => {
    const once = { ...courseOf(3, false), looping: false }
    const skipAt = (place: Place, skips: readonly Place[] = []) => {
      const stream = { place, course: { ...once, skips } }
      return skipsAfter(stream, [stream])?.get(stream) ?? null
    }
    expect([skipAt(at(0)), skipAt(at(1)), skipAt(at(0), [at(1)])]).toEqual([[at(1)], null, null])
  })
})
