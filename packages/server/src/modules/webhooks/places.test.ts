import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createPlaces, MOST_SLOW, PLACES, type Placed } from './places.ts'
import { planStates } from './plan-states.ts'

const row = (endpoint_id: string, user_id = endpoint_id, isFailing = false) => ({ endpoint_id, user_id, isFailing })

describe('the places of deliveries', () => {
  it('[HOOK-02] are four for an endpoint and eight for a user', () => {
    const places = createPlaces()
    const taken = (endpoint: string, user: string) =>
      Array.from({ length: 9 }, () => places.take(row(endpoint, user))).filter(Boolean).length
    expect(taken('e1', 'u1')).toBe(4)
    expect(taken('e2', 'u1')).toBe(4)
    expect(taken('e3', 'u1')).toBe(0)
    expect(taken('e4', 'u2')).toBe(4)
    expect(places.full()).toMatchObject({ endpoints: ['e1', 'e2', 'e4'], users: ['u1'], failing: false })
    places.give(row('e1', 'u1'))
    expect(places.take(row('e3', 'u1'))).toBe(true)
  })

  it('[HOOK-02] are one for an endpoint that fails, and never all for such', () => {
    const places = createPlaces()
    expect(places.take(row('f1', 'u1', true))).toBe(true)
    expect(places.take(row('f1', 'u1', true))).toBe(false)
    for (let n = 2; n <= 10; n++) expect(places.take(row(`f${n}`, `u${n}`, true))).toBe(true)
    expect(places.take(row('f11', 'u11', true))).toBe(false)
    expect(places.full().failing).toBe(true)
    expect(places.take(row('well'))).toBe(true)
    for (let n = 1; n <= 10; n++) places.give(row(`f${n}`, `u${n}`, true))
    expect(places.full()).toEqual({ endpoints: [], users: [], busy: ['well'], failing: false, slow: [] })
  })

  it('[SAFE-07] are kept to, whatever fails, takes long or ends, in any order; those that take long leave others theirs', () => {
    const step = fc.record({
      does: fc.constantFrom('take', 'take', 'aside', 'give'),
      endpoint: fc.nat(19),
      isFailing: fc.boolean(),
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
        const places = createPlaces()
        const open = new Map<Placed, 'placed' | 'aside'>()
        const count = (is: (each: Placed) => boolean) => [...open.keys()].filter(is).length
        for (const { does, endpoint, isFailing } of steps) {
          const one = [...open.keys()][endpoint % Math.max(1, open.size)]
          const next = row(`e${endpoint}`, `u${endpoint % 5}`, isFailing)
          if (does === 'take' && places.take(next)) open.set(next, 'placed')
          else if (does === 'aside' && one) {
            places.moveAside(one)
            open.set(one, 'aside')
          } else if (does === 'give' && one) {
            places.give(one)
            open.delete(one)
          }
          const failing = count((each) => each.isFailing && open.get(each) === 'placed')
          expect(failing).toBeLessThanOrEqual(PLACES.forFailing)
          expect(places.full().failing).toBe(failing === PLACES.forFailing)
          for (const each of open.keys()) {
            expect(count(({ user_id }) => user_id === each.user_id)).toBeLessThanOrEqual(PLACES.perUser)
            expect(count(({ endpoint_id }) => endpoint_id === each.endpoint_id)).toBeLessThanOrEqual(PLACES.perEndpoint)
          }
        }
      }),
    )
  })

  it('[HOOK-02] know an endpoint whose last try took more than three seconds, until one is quicker', () => {
    const places = createPlaces()
    places.noteDuration('slow', 3_001)
    places.noteDuration('quick', 3_000)
    expect(places.full().slow).toEqual(['slow'])
    places.noteDuration('slow', 200)
    expect(places.full().slow).toEqual([])
  })

  it('[SAFE-07] know so many of them at most, those that were slow last, and none that is gone', () => {
    const places = createPlaces()
    const ids = Array.from({ length: MOST_SLOW }, (_, index) => `slow-${index}`)
    for (const id of [...ids, 'slow-0']) places.noteDuration(id, 3_001)
    expect(places.full().slow).toEqual([...ids.slice(1), 'slow-0'])
    places.noteDuration('newest', 3_001)
    expect(places.full().slow).toEqual([...ids.slice(2), 'slow-0', 'newest'])
    places.forget('slow-0')
    expect(places.full().slow).toEqual([...ids.slice(2), 'newest'])
  })
})

describe('endpoints and the plan of their owner', () => {
  const endpoint = (id: string, state = 'active', state_reason: string | null = null) => ({ id, state, state_reason })
  const ids = (allowed: number, ...all: ReturnType<typeof endpoint>[]) => {
    const { pause, resume } = planStates(all, allowed)
    return [pause.map(({ id }) => id), resume.map(({ id }) => id)]
  }

  it('[HOOK-03] the newest pause where the plan has fewer, and go on by themselves where it has more', () => {
    expect(ids(1, endpoint('a'), endpoint('b'), endpoint('c'))).toEqual([['b', 'c'], []])
    expect(ids(0, endpoint('a'))).toEqual([['a'], []])
    expect(ids(2, endpoint('a'), endpoint('b', 'paused', 'plan'), endpoint('c', 'paused', 'plan'))).toEqual([[], ['b']])
  })

  it('[HOOK-03] one that its owner paused, or that we disabled, neither counts nor comes back', () => {
    const all = [endpoint('a', 'paused'), endpoint('b', 'disabled', 'gone'), endpoint('c', 'paused', 'plan')]
    expect(ids(1, ...all)).toEqual([[], ['c']])
    expect(ids(0, ...all)).toEqual([[], []])
  })
})
