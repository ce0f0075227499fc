import { describe, expect, it } from 'vitest'
import { orderOfRound } from './next-item.ts'
import { positionInRound } from './position-in-round.ts'

const ITEMS = ['a', 'b', 'c', 'd', 'e'].map((id, position) => ({ id, position }))
/** Each ten times as long as the one before: of a sum one sees what is in it. */
const LENGTHS = new Map(ITEMS.map(({ id }, index) => [id, 10 ** index]))
const inOrder = { items: ITEMS, removed: [], ordering: { shuffle: false, seed: 's', startItemId: null } }
const shuffled = { ...inOrder, ordering: { shuffle: true, seed: 's', startItemId: null } }

describe('the position in a round', () => {
  it('is behind all that comes before in the list', () => {
    expect(positionInRound({ itemId: 'c', round: 3 }, inOrder, LENGTHS)).toEqual({
      ...{ roundIndex: 2, beforeMs: 11, wholeMs: 11_111 },
    })
  })

  it('goes by the order of this round where that is shuffled', () => {
    for (const round of [0, 1, 2]) {
      let beforeMs = 0
      for (const [roundIndex, { id }] of orderOfRound(ITEMS, shuffled.ordering, round).entries()) {
        expect(positionInRound({ itemId: id, round }, shuffled, LENGTHS)).toEqual({
          ...{ roundIndex, beforeMs, wholeMs: 11_111 },
        })
        beforeMs += LENGTHS.get(id) ?? 0
      }
    }
  })

  it('of an item that was removed while it plays is where it was, without a place of its own', () => {
    const items = ITEMS.filter(({ id }) => id !== 'c')
    const removed = ITEMS.filter(({ id }) => id === 'c')
    expect(positionInRound({ itemId: 'c', round: 0 }, { ...inOrder, items, removed }, LENGTHS)).toEqual({
      ...{ roundIndex: null, beforeMs: 11, wholeMs: 11_011 },
    })
  })

  it('counts nothing for what nobody knows the length of, and begins anew where nobody knows the item', () => {
    expect(positionInRound({ itemId: 'e', round: 0 }, inOrder, new Map([['a', 7]]))).toMatchObject({ beforeMs: 7 })
    expect(positionInRound({ itemId: 'x', round: 0 }, inOrder, LENGTHS)).toMatchObject({
      roundIndex: null,
      beforeMs: 0,
    })
  })
})
