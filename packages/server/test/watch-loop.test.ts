import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { measure, STALL_MS, watchLoop } from './support/rows-read.ts'

const usedMs = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

function workFor(cpuMs: number): void {
  const until = usedMs() + cpuMs
  while (usedMs() < until);
}

describe('what holds the event loop', () => {
  it('is found by the CPU time that it takes, also among short work', async () => {
    const loop = watchLoop()
    await sleep(20)
    workFor(6 * STALL_MS)
    await sleep(20)
    workFor(1)
    await sleep(20)
    expect(loop.end()).toBeGreaterThan(5 * STALL_MS)
  })

  it('is found where it is the last thing that was done', async () => {
    expect((await measure(async () => workFor(6 * STALL_MS))).stallMs).toBeGreaterThan(5 * STALL_MS)
  })

  it('is not the time for which the machine does something else', async () => {
    const loop = watchLoop()
    await sleep(20)
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 8 * STALL_MS)
    await sleep(20)
    expect(loop.end()).toBeLessThan(5 * STALL_MS)
  })
})
