import { setImmediate as anotherTurn, setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createLoopShares } from './loop-shares.ts'

/** A loop whose work takes as long as it says, by a clock of its own. */
function loop() {
  let now = 0
  const shares = createLoopShares(() => now)
  const pass = (ms: number): void => {
    now += ms
  }
  async function work(owner: string | null, ms: number): Promise<void> {
    shares.goOnFor(owner)
    pass(ms)
    await anotherTurn()
  }
  const waits = (owner: string) => {
    const waiting = { isOver: false }
    void shares.untilIn(owner).then(() => {
      waiting.isOver = true
    })
    return waiting
  }
  return { shares, pass, work, waits }
}

const SOME_LOOKS_MS = 20

describe('[SAFE-07] shares of the event loop', () => {
  it('make one that has used more than its own wait while another is there, and nobody else', async () => {
    const { work, waits, pass, shares } = loop()
    await work('hog', 30)
    await work('neighbour', 1)
    const waiting = waits('hog')
    await shares.untilIn('neighbour')
    await sleep(SOME_LOOKS_MS)
    expect(waiting.isOver).toBe(false)
    pass(45)
    await sleep(SOME_LOOKS_MS)
    expect(waiting.isOver).toBe(true)
  })

  it('leave all of it to one that is alone', async () => {
    const { work, waits, pass } = loop()
    await work('neighbour', 1)
    pass(60)
    await work('hog', 500)
    const waiting = waits('hog')
    await anotherTurn()
    expect(waiting.isOver).toBe(true)
  })

  it('are charged with what follows, until it is another whose work goes on, or the loop turns', async () => {
    const { work, waits, pass, shares } = loop()
    await work('neighbour', 1)
    shares.goOnFor('light')
    shares.goOnFor(null)
    pass(500)
    await anotherTurn()
    await work('neighbour', 1)
    shares.goOnFor('light')
    await anotherTurn()
    pass(40)
    const waiting = waits('light')
    await anotherTurn()
    expect(waiting.isOver).toBe(true)
  })
})
