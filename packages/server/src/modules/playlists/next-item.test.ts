import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { firstPlace, type ListItem, nextPlace, type Ordering, orderOfRound, type Place, stepsOf } from './next-item.ts'

const itemsOf = (count: number): ListItem[] =>
  Array.from({ length: count }, (_, index) => ({ id: `item-${index}`, position: index }))

const ordering = fc.record({
  shuffle: fc.boolean(),
  seed: fc.string({ maxLength: 20 }),
  startItemId: fc.constant(null),
}) satisfies fc.Arbitrary<Ordering>

const course = (items: readonly ListItem[], order: Ordering, more = {}) => ({
  items,
  removed: [],
  ordering: order,
  looping: true,
  skips: [],
  ...more,
})

/** So many places from the first one on. */
function play(items: readonly ListItem[], order: Ordering, count: number): Place[] {
  const places = [firstPlace(items, order)]
  while (places.length < count) places.push(nextPlace(places.at(-1) as Place, course(items, order)))
  return places as Place[]
}

describe('[LIST-01] the order of a playlist', () => {
  it('is the same for who takes many steps at once', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 12 }), ordering, fc.boolean(), (count, order, looping) => {
        const items = itemsOf(count)
        const removed = [{ id: 'gone', position: 1.5 }]
        const steps = course(items, order, { looping, removed })
        const after = stepsOf(steps)
        let place: Place | null = { itemId: 'gone', round: 1 }
        for (let taken = 0; place && taken < 3 * count; taken++) {
          expect(after(place)).toEqual(nextPlace(place, steps))
          place = after(place)
        }
      }),
    )
  })

  it('plays each item exactly once in each round, whatever the seed', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 30 }), ordering, (count, order) => {
        const items = itemsOf(count)
        const places = play(items, order, count * 4)
        for (let round = 0; round < 4; round++) {
          const played = places.filter((place) => place.round === round).map(({ itemId }) => itemId)
          expect(played.toSorted()).toEqual(items.map(({ id }) => id).toSorted())
        }
      }),
    )
  })

  it('never plays an item twice in a row where there are two or more', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 6 }), ordering, (count, order) => {
        const places = play(itemsOf(count), order, count * 8)
        for (const [index, { itemId }] of places.slice(1).entries()) expect(itemId).not.toBe(places[index]?.itemId)
      }),
    )
  })

  it('is a function of seed and round alone, so that it is the same after a restart', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 12 }), ordering, fc.nat(40), (count, order, steps) => {
        const places = play(itemsOf(count), order, steps + 2)
        const restarted = nextPlace(places[steps] as Place, course(itemsOf(count).toReversed(), { ...order }))
        expect(restarted).toEqual(places[steps + 1])
      }),
    )
  })

  it('is another one in each round and for each seed', () => {
    const rounds = (seed: string) =>
      [0, 1, 2].map((round) =>
        orderOfRound(itemsOf(12), { shuffle: true, seed, startItemId: null }, round)
          .map(({ id }) => id)
          .join(),
      )
    expect(new Set([...rounds('one'), ...rounds('two')]).size).toBe(6)
  })

  it('begins with the chosen item, and plays the others after it', () => {
    const items = itemsOf(5)
    const inOrder = { shuffle: false, seed: 's', startItemId: 'item-3' }
    expect(play(items, inOrder, 3).map(({ itemId, round }) => `${itemId}/${round}`)).toEqual([
      'item-3/0',
      'item-4/0',
      'item-0/1',
    ])
    const shuffled = play(items, { ...inOrder, shuffle: true }, 5)
    expect(shuffled[0]?.itemId).toBe('item-3')
    expect(new Set(shuffled.map(({ itemId }) => itemId)).size).toBe(5)
  })

  it('ends after one round where it is not to loop', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10 }), ordering, (count, order) => {
        const items = itemsOf(count)
        const last = play(items, order, count).at(-1) as Place
        expect(nextPlace(last, course(items, order, { looping: false }))).toBeNull()
      }),
    )
  })
})

describe('[LIST-02] a playlist that is changed while it plays', () => {
  it('goes on behind an item that was removed, in the same round', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 12 }), ordering, fc.nat(30), (count, order, steps) => {
        const items = itemsOf(count)
        const places = play(items, order, steps + 2)
        const playing = places[steps] as Place
        const left = items.filter(({ id }) => id !== playing.itemId)
        const removed = items.filter(({ id }) => id === playing.itemId)
        const next = nextPlace(playing, course(left, order, { removed })) as Place
        const isRoundOver = places[steps + 1]?.round !== playing.round
        expect(next.round).toBe(isRoundOver ? playing.round + 1 : playing.round)
        if (!isRoundOver) expect(next).toEqual(places[steps + 1])
      }),
    )
  })

  it('still plays every item that was there and had not played yet, when another one is added', () => {
    fc.assert(
      fc.property(fc.integer({ min: 3, max: 12 }), ordering, fc.nat(11), (count, order, steps) => {
        const items = itemsOf(count)
        const places = play(items, order, count)
        const playing = places[Math.min(steps, count - 1)] as Place
        const more = [...items, { id: 'new', position: 0.5 }]
        const later = new Set<string>()
        let place: Place | null = nextPlace(playing, course(more, order))
        while (place?.round === 0) {
          later.add(place.itemId)
          place = nextPlace(place, course(more, order))
        }
        for (const { itemId } of places.slice(places.indexOf(playing) + 1)) expect(later).toContain(itemId)
      }),
    )
  })

  it('follows a moved item from where it is now', () => {
    const inOrder = { shuffle: false, seed: 's', startItemId: null }
    const moved = itemsOf(4).map((item) => (item.id === 'item-0' ? { ...item, position: 2.5 } : item))
    expect(nextPlace({ itemId: 'item-0', round: 7 }, course(moved, inOrder))).toEqual({ itemId: 'item-3', round: 7 })
  })

  it('leaves out what was skipped, in that round alone', () => {
    const inOrder = { shuffle: false, seed: 's', startItemId: null }
    const at = (index: number, round = 1): Place => ({ itemId: `item-${index}`, round })
    const skipped = course(itemsOf(4), inOrder, { skips: [at(1), at(2)] })
    expect(nextPlace(at(0), skipped)).toEqual(at(3))
    expect(nextPlace(at(0, 2), skipped)).toEqual(at(1, 2))
  })

  it('leaves out what is behind, where the one to be left out played already', () => {
    const inOrder = { shuffle: false, seed: 's', startItemId: null }
    const at = (index: number, round = 0): Place => ({ itemId: `item-${index}`, round })
    expect(nextPlace(at(1), course(itemsOf(4), inOrder, { skips: [at(1)] }))).toEqual(at(3))
    expect(nextPlace(at(1), course(itemsOf(4), inOrder, { skips: [at(1), at(2)] }))).toEqual(at(0, 1))
    // But for the last of a list that is played once.
    const once = course(itemsOf(3), inOrder, { skips: [at(1)], looping: false })
    expect(nextPlace(at(1), once)).toEqual(at(2))
  })

  it('has nothing left when every item was removed', () => {
    const order = { shuffle: true, seed: 's', startItemId: null }
    expect(nextPlace({ itemId: 'item-0', round: 3 }, course([], order, { removed: itemsOf(1) }))).toBeNull()
    expect(firstPlace([], order)).toBeNull()
  })

  it('begins anew where nobody knows any more what played', () => {
    const order = { shuffle: false, seed: 's', startItemId: null }
    expect(nextPlace({ itemId: 'long-gone', round: 3 }, course(itemsOf(2), order))).toEqual({
      itemId: 'item-0',
      round: 4,
    })
  })
})
