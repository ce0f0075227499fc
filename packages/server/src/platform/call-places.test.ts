import { setImmediate as nextTurn } from 'node:timers/promises'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createCallPlaces, type Leave } from './call-places.ts'

const MOST = { each: 2, waitingEach: 3, inAll: 3, slowMs: 60_000, turnMs: 60_000 }
/** After which one that waits begins, also where others come in. */
const TURNS = 5

/** Calls that are under way until the test ends them. */
function open(change: Partial<typeof MOST> = {}) {
  const places = createCallPlaces({ ...MOST, ...change })
  const begun: string[] = []
  const leaves = new Map<string, Leave>()
  const note = (name: string) => (leave: Leave) => {
    begun.push(name)
    leaves.set(name, leave)
  }
  return {
    begun,
    leaves,
    noteNews: places.noteNews,
    call(owner: string, name: string): 'in' | 'refused' | (() => void) {
      const leave = places.enter(owner)
      if (leave) note(name)(leave)
      return leave ? 'in' : (places.wait(owner, note(name)) ?? 'refused')
    },
    async end(name: string) {
      leaves.get(name)?.()
      leaves.delete(name)
      for (let turns = 0; turns < TURNS; turns++) await nextTurn()
    },
  }
}

describe('[SAFE-07] the places of calls', () => {
  it('are few for each owner; more wait, first come first served, and beyond that are refused', async () => {
    const { call, begun, end } = open()
    expect([call('a', 'a1'), call('a', 'a2')]).toEqual(['in', 'in'])
    for (const name of ['a3', 'a4', 'a5']) expect(call('a', name)).toBeTypeOf('function')
    expect(call('a', 'a6')).toBe('refused')
    expect(call('b', 'b1')).toBe('in')
    await end('a2')
    await end('a1')
    expect(begun).toEqual(['a1', 'a2', 'b1', 'a3', 'a4'])
  })

  it('are left by a call whose caller has gone, also while it waits', async () => {
    const { call, begun, end } = open({ each: 1 })
    call('a', 'a1')
    const giveUp = call('a', 'a2')
    call('a', 'a3')
    if (typeof giveUp === 'function') giveUp()
    await end('a1')
    expect(begun).toEqual(['a1', 'a3'])
    // Twice does no harm.
    await end('a1')
    expect(begun).toHaveLength(2)
  })

  it('go to the owners in turn where there are too few for all', async () => {
    const { call, begun, end } = open({ inAll: 1 })
    for (const name of ['a1', 'a2', 'a3']) call('a', name)
    call('b', 'b1')
    call('c', 'c1')
    for (const name of ['a1', 'b1', 'c1', 'a2', 'a3']) await end(name)
    expect(begun).toEqual(['a1', 'b1', 'c1', 'a2', 'a3'])
  })

  it('go to the owner that has used least of the loop, so that quick calls do not wait for as many dear ones', async () => {
    const { call, begun, end } = open({ inAll: 1, waitingEach: 9 })
    const isDear = (name: string) => name.startsWith('a')
    const work = async (name: string) => {
      for (const until = performance.now() + (isDear(name) ? 20 : 0); performance.now() < until; );
      await end(name)
    }
    for (const name of ['a1', 'a2', 'a3', 'a4']) call('a', name)
    for (const name of ['b1', 'b2', 'b3', 'b4']) call('b', name)
    for (let at = 0; at < 8; at++) await work(begun[at] ?? '')
    // A machine that is busy may charge b with a moment too many, but never with as much as a dear call.
    expect(begun.indexOf('b4')).toBeLessThan(begun.indexOf('a4'))
    expect(begun).toHaveLength(8)
  })

  it('serve each owner once in a turn of the loop that lasts too long, however quick its calls are', async () => {
    const { call, begun, leaves, noteNews } = open({ each: 9, inAll: 9, turnMs: 0 })
    expect(call('a', 'a1')).toBe('in')
    leaves.get('a1')?.()
    // It is over, and still its owner has had this turn.
    expect(call('a', 'a2')).toBeTypeOf('function')
    expect(call('a', 'a3')).toBeTypeOf('function')
    expect(call('b', 'b1')).toBe('in')
    // Those that connect go first.
    noteNews()
    await nextTurn()
    expect(begun).toEqual(['a1', 'b1'])
    await nextTurn()
    expect(begun).toEqual(['a1', 'b1', 'a2'])
    await nextTurn()
    expect(begun).toEqual(['a1', 'b1', 'a2', 'a3'])
  })

  it('are given to several in one turn, where calls take a moment', async () => {
    const { call, begun, end } = open()
    for (const name of ['a1', 'a2', 'a3', 'a4']) call('a', name)
    expect(begun).toEqual(['a1', 'a2'])
    // Two places at once, and both are taken in the same turn.
    await Promise.all([end('a1'), end('a2')])
    expect(begun).toEqual(['a1', 'a2', 'a3', 'a4'])
  })

  it('are not held by calls that take long, but those count for their owner', async () => {
    const { call, begun, end } = open({ slowMs: 20 })
    for (const name of ['a1', 'a2']) call('a', name)
    call('b', 'b1')
    call('c', 'c1')
    expect(begun).not.toContain('c1')
    await expect.poll(() => begun).toContain('c1')
    call('a', 'a3')
    await end('c1')
    expect(begun).not.toContain('a3')
  })

  it('are never more than there are, and nobody is forgotten, whatever comes in any order', async () => {
    const step = fc.record({ does: fc.constantFrom('call', 'call', 'end', 'gone', 'turn'), which: fc.nat(30) })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const { call, begun, leaves, end } = open()
        const owners = ['a', 'b', 'c']
        const waits = new Map<string, () => void>()
        let calls = 0
        for (const { does, which } of steps) {
          const owner = owners[which % 3] ?? 'a'
          if (does === 'call') {
            const name = `${owner}${calls++}`
            const entered = call(owner, name)
            if (typeof entered === 'function') waits.set(name, entered)
          } else if (does === 'end') await end([...leaves.keys()][which % Math.max(1, leaves.size)] ?? '')
          else if (does === 'gone') {
            const [name = '', giveUp] = [...waits].filter(([each]) => !begun.includes(each))[0] ?? []
            giveUp?.()
            waits.delete(name)
          } else await nextTurn()
          expect(leaves.size).toBeLessThanOrEqual(MOST.inAll)
          for (const each of owners) {
            expect([...leaves.keys()].filter((name) => name.startsWith(each)).length).toBeLessThanOrEqual(MOST.each)
          }
        }
        while (leaves.size > 0) await end([...leaves.keys()][0] ?? '')
        expect([...waits.keys()].filter((name) => !begun.includes(name))).toEqual([])
      }),
      { numRuns: 50 },
    )
  })
})
