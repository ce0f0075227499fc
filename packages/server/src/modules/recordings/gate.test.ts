import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createGate } from './gate.ts'

const most = { all: 3, each: 2, long: 2, longEach: 1 }

describe('the gate of recordings', () => {
  it('lets in so many in all and of each owner, and who waits when a place is free', async () => {
    const gate = createGate(most, 5_000)
    const leave = await gate.enter('a', 'short')
    await gate.enter('a', 'short')
    let isIn = false
    const third = gate.enter('a', 'short').then(() => {
      isIn = true
    })
    await gate.enter('b', 'short')
    await sleep(10)
    expect(isIn).toBe(false)
    leave()
    await third
  })

  it('takes the owners in turn', async () => {
    const gate = createGate({ ...most, all: 1 }, 5_000)
    let leave = await gate.enter('a', 'short')
    const order: string[] = []
    const wait = (owner: string, name: string) =>
      gate.enter(owner, 'short').then((next) => {
        order.push(name)
        leave = next
      })
    const waits = [wait('a', 'a1'), wait('a', 'a2'), wait('b', 'b1')]
    for (const _ of waits) {
      leave()
      await sleep(5)
    }
    await Promise.all(waits)
    expect(order).toEqual(['a1', 'b1', 'a2'])
  })

  it('refuses with 429 whose own work fills the places, with 503 where it is that of others', async () => {
    const gate = createGate(most, 20)
    await gate.enter('a', 'long')
    await expect(gate.enter('a', 'long')).rejects.toMatchObject({ code: 'rate_limited' })
    await gate.enter('b', 'long')
    await expect(gate.enter('c', 'long')).rejects.toMatchObject({ code: 'server_busy' })
    await expect(gate.enter('a', 'short')).resolves.toBeTypeOf('function')
    await expect(gate.enter('a', 'short')).rejects.toMatchObject({ code: 'rate_limited' })
  })

  const soon = {
    ...{ bytesPerSecond: 1_000, lookEveryMs: 5 },
    ...{ short: { slowAfterMs: 20, afterMs: 60_000 }, long: { slowAfterMs: 20, afterMs: 60_000 } },
  }

  it('[SAFE-07] lets a slow reader give way while somebody waits, and nobody who is quick enough', async () => {
    const gate = createGate(most, 5_000, soon)
    const gaveWay: string[] = []
    const reader = async (owner: string, bytes: number): Promise<void> => {
      const reading = {
        ...{ bytes, readSinceMs: performance.now() },
        giveWay: () => {
          gaveWay.push(owner)
          leave()
        },
      }
      const leave = await gate.enter(owner, 'long', { reading })
    }
    await reader('quick', 1_000_000)
    await reader('slow', 1)
    await sleep(50)
    // Nobody waits yet.
    expect(gaveWay).toEqual([])
    await reader('third', 1_000_000)
    expect(gaveWay).toEqual(['slow'])
  })

  it('[SAFE-07] lets one reader give way for one owner, however many downloads that owner waits with', async () => {
    const gate = createGate({ all: 6, each: 2, long: 4, longEach: 1 }, 200, soon)
    const gaveWay: string[] = []
    for (const owner of ['a', 'b', 'c', 'd']) {
      const giveWay = () => {
        gaveWay.push(owner)
        leave()
      }
      const reading = { bytes: 1, readSinceMs: performance.now(), giveWay }
      const leave = await gate.enter(owner, 'long', { reading })
    }
    const asked = Array.from({ length: 12 }, () => gate.enter('many', 'long'))
    const answers = await Promise.allSettled(asked)
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(gaveWay).toHaveLength(1)
  })

  it('[SAFE-07] lets readers of segments give way to somebody who plays, once they are slow', async () => {
    const gate = createGate({ all: 6, each: 2, long: 4, longEach: 1 }, 5_000, soon)
    const gaveWay: string[] = []
    for (const owner of ['a', 'a', 'b', 'b', 'c', 'c']) {
      const giveWay = () => {
        gaveWay.push(owner)
        leave()
      }
      const reading = { bytes: owner === 'b' ? 1 : 1_000_000, readSinceMs: performance.now(), giveWay }
      const leave = await gate.enter(owner, 'short', { reading })
    }
    await gate.enter('player', 'short')
    expect(gaveWay).toEqual(['b'])
  })

  it('[SAFE-07] lets somebody who waits in before those who gave way and ask again at once', async () => {
    const gate = createGate({ all: 6, each: 2, long: 4, longEach: 1 }, 5_000, soon)
    let isIn = false
    let gaveWay = 0
    const takeAndAskAgain = async (owner: string): Promise<void> => {
      const gone = Promise.withResolvers<void>()
      const reading = { bytes: 1, readSinceMs: performance.now(), giveWay: () => gone.resolve() }
      const leave = await gate.enter(owner, 'short', { reading })
      void gone.promise.then(() => {
        gaveWay++
        const again = isIn ? null : takeAndAskAgain(owner)
        again?.catch(() => {})
        leave()
      })
    }
    // Each has two places, and four more that wait.
    const hogs = ['a', 'b', 'c'].flatMap((owner) => Array.from({ length: 6 }, () => takeAndAskAgain(owner)))
    for (const each of hogs) each.catch(() => {})
    await sleep(1)
    const leave = await gate.enter('player', 'short')
    isIn = true
    expect(gaveWay).toBe(1)
    leave()
  })
})
