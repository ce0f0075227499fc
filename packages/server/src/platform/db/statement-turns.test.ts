import { setImmediate as anotherTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { asProgram, onBehalfOf } from '../on-behalf-of.ts'
import { createStatementTurns } from './statement-turns.ts'

/** A connection whose statements take as long as they say, by a clock of its own. */
function connection() {
  let now = 0
  const turns = createStatementTurns(() => now)
  const order: string[] = []
  async function ask(owner: string, ms: number): Promise<void> {
    await turns.take()
    order.push(owner)
    now += ms
    turns.give()
  }
  return {
    order,
    ask: (owner: string, ms: number) => onBehalfOf(owner, () => ask(owner, ms)),
    askAsProgram: (ms: number) => asProgram(() => ask('program', ms)),
    pass: (ms: number) => {
      now += ms
    },
    now: () => now,
  }
}

const turnsOfLoop = async (count: number) => {
  for (let turn = 0; turn < count; turn++) await anotherTurn()
}

describe('[SAFE-07] statements in turns', () => {
  it('serve the owner that has used least, however many another has brought before', async () => {
    const { ask, order, pass } = connection()
    const dear = Array.from({ length: 10 }, () => ask('hog', 20))
    const light = Array.from({ length: 3 }, () => ask('neighbour', 0.1))
    await Promise.all(light)
    // One was under way already.
    expect(order.slice(0, 4)).toEqual(['hog', 'neighbour', 'neighbour', 'neighbour'])
    let isDone = false
    void Promise.all(dear).then(() => {
      isDone = true
    })
    // It takes turns with time that passes.
    for (; !isDone; pass(20)) await turnsOfLoop(5)
    expect(order.filter((owner) => owner === 'hog')).toHaveLength(10)
  })

  it('let one that is alone have all of the time', async () => {
    const { ask, now } = connection()
    for (let count = 0; count < 50; count++) await ask('hog', 20)
    expect(now()).toBe(1_000)
  })

  it('keep one that has used its share waiting while another is there, until it has time again', async () => {
    const { ask, order, pass } = connection()
    await ask('neighbour', 0.1)
    await ask('hog', 30)
    const waits = ask('hog', 30)
    await turnsOfLoop(20)
    expect(order).toEqual(['neighbour', 'hog'])
    // The other is served at once meanwhile.
    await ask('neighbour', 0.1)
    expect(order).toEqual(['neighbour', 'hog', 'neighbour'])
    pass(55)
    await waits
    expect(order).toEqual(['neighbour', 'hog', 'neighbour', 'hog'])
  })

  it('never keep the program itself waiting for that', async () => {
    const { ask, askAsProgram, order } = connection()
    await ask('neighbour', 0.1)
    for (let count = 0; count < 5; count++) await askAsProgram(30)
    expect(order).toEqual(['neighbour', ...Array(5).fill('program')])
  })

  it('let one that has used little go on in a turn of the loop that others have filled, for a moment', async () => {
    const { ask, order } = connection()
    let hasTurned = false
    setImmediate(() => {
      hasTurned = true
    })
    await ask('hog', 5.5)
    const waits = ask('hog', 1)
    await Promise.all([ask('neighbour', 0.2), ask('neighbour', 0.2)])
    await ask('neighbour', 0.2)
    expect(hasTurned).toBe(false)
    await ask('neighbour', 0.4)
    expect(hasTurned).toBe(true)
    await waits
    expect(order).toEqual(['hog', ...Array(4).fill('neighbour'), 'hog'])
  })

  it('forget nobody where several others are never without a statement', async () => {
    const { ask, order } = connection()
    const keepAsking = async (owner: string) => {
      while (!order.includes('late') && order.length < 300) await ask(owner, 3)
    }
    const busy = ['a', 'b', 'c'].flatMap((owner) => [keepAsking(owner), keepAsking(owner)])
    await turnsOfLoop(5)
    await Promise.all([ask('late', 1), ...busy])
    expect(order.indexOf('late')).toBeLessThan(100)
  })
})
