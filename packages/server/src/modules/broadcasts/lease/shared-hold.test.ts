import { Worker } from 'node:worker_threads'
import { describe, expect, it } from 'vitest'
import { steadyMs } from '../../../platform/clock.ts'
import { held, SAFE_MS } from './lease-state.ts'
import { openSharedHold, shareHold } from './shared-hold.ts'

const ROUNDS = 60

/** Renews with the real rules in a thread of its own, told to begin by a cell that both see. Says with what each ended. */
const RENEWER = `
const { parentPort, workerData } = require('node:worker_threads')
import(workerData.file).then(({ openSharedHold }) => {
  parentPort.on('message', ({ buffer, go, begunMs }) => {
    const hold = openSharedHold('i', buffer)
    Atomics.add(go, 0, 1)
    while (Atomics.load(go, 0) < 2);
    parentPort.postMessage(hold.renew(begunMs).at)
  })
  parentPort.postMessage('ready')
})`

describe('[MANY-02] a lease that two threads see', () => {
  it('is held until its deadline, which a renewal moves, and never again after somebody has seen it lapse', () => {
    const hold = shareHold(held('i', steadyMs() - SAFE_MS + 60_000))
    const other = openSharedHold('i', hold.buffer)
    expect([hold.judge().at, other.judge().at]).toEqual(['held', 'held'])
    const { at } = other.renew(steadyMs() + 60_000)
    expect([at, hold.judge()]).toEqual(['held', other.judge()])
    hold.lapse()
    expect([other.renew(steadyMs() + 60_000).at, other.judge().at]).toEqual(['lapsed', 'lapsed'])
  })

  it('has one end where one thread renews and the other finds the time over, at the same moment', async () => {
    const file = new URL('./shared-hold.ts', import.meta.url).href
    const thread = new Worker(RENEWER, { eval: true, workerData: { file }, execArgv: [] })
    const heard = () => new Promise<string>((resolve) => thread.once('message', resolve))
    await heard()
    const ends = { held: 0, lapsed: 0 }
    for (let round = 0; round < ROUNDS; round++) {
      const begunMs = steadyMs()
      const hold = shareHold(held('i', begunMs))
      const go = new Int32Array(new SharedArrayBuffer(4))
      const answer = heard()
      thread.postMessage({ buffer: hold.buffer, go, begunMs: begunMs + 60_000 })
      while (Atomics.load(go, 0) < 1);
      Atomics.add(go, 0, 1)
      // As the rules would, were the time over.
      const here = round % 2 === 0 ? hold.lapse().at : hold.judge().at
      const there = (await answer) as 'held' | 'lapsed'
      const last = hold.judge().at
      ends[last]++
      // A lapse that one has acted on is one for both, whatever the other did before.
      if (here === 'lapsed' || there === 'lapsed') expect(last).toBe('lapsed')
      else expect(last).toBe('held')
    }
    await thread.terminate()
    expect(ends.held).toBeGreaterThan(0)
    expect(ends.lapsed).toBeGreaterThan(0)
  })
})
