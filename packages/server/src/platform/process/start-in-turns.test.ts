import { waitFor } from '@siarin/testkit/wait-for'
import { describe, expect, it } from 'vitest'
import { startInTurns } from './start-in-turns.ts'

/** Three cores, so three start at once, and two of one owner. Each is busy until it is said to have started. */
function stage() {
  const begun: string[] = []
  const busy = new Set<number>()
  async function start(name: string): Promise<{ pid: number }> {
    if (name === 'missing') throw new Error('ENOENT')
    const pid = begun.push(name)
    busy.add(pid)
    return { pid }
  }
  const inTurn = startInTurns({ cores: 3, isBusy: (pid) => busy.has(pid) })
  return {
    begun,
    start: (owner: string, name: string) => inTurn(owner, () => start(name)),
    hasStarted: (name: string) => busy.delete(begun.indexOf(name) + 1),
    untilBegun: (count: number) => waitFor('the next to begin', async () => begun.length >= count, { everyMs: 5 }),
  }
}

describe('[SAFE-07] processes that start', () => {
  it('are few at once and fewer of one owner, the next one begins when one has started, and the owners take turns', async () => {
    const { begun, start, hasStarted, untilBegun } = stage()
    const all = ['a1', 'a2', 'a3', 'a4', 'b1'].map((name) => start(name.slice(0, 1), name))
    await untilBegun(3)
    expect(begun).toEqual(['a1', 'a2', 'b1'])
    hasStarted('b1')
    hasStarted('a1')
    await untilBegun(4)
    expect(begun).toEqual(['a1', 'a2', 'b1', 'a3'])
    hasStarted('a2')
    await Promise.all(all)
    expect(begun.at(-1)).toBe('a4')
  })

  it('do not wait for ever for one that goes on to be busy, and not at all for one that cannot be started', async () => {
    const { begun, start, untilBegun } = stage()
    await expect(start('a', 'missing')).rejects.toThrow('ENOENT')
    for (const name of ['a1', 'a2', 'a3']) void start('a', name)
    await untilBegun(3)
    expect(begun).toEqual(['a1', 'a2', 'a3'])
  })
})
