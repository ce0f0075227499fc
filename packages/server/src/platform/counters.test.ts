import { describe, expect, it } from 'vitest'
import { createLocalCounters } from './counters.ts'

const WINDOW_MS = 1_000

describe('counts in memory', () => {
  function counted(mostKeys?: number) {
    let now = 0
    const counters = createLocalCounters(() => now, mostKeys)
    return { ...counters, pass: (ms: number) => (now += ms) }
  }

  it('begin anew when the window of the first is over', async () => {
    const { add, pass } = counted()
    expect(await add('a', WINDOW_MS)).toEqual({ count: 1, leftMs: 1_000 })
    pass(400)
    expect(await add('a', WINDOW_MS)).toEqual({ count: 2, leftMs: 600 })
    pass(600)
    expect(await add('a', WINDOW_MS)).toEqual({ count: 1, leftMs: 1_000 })
  })

  it('are read without being changed, and are none where nobody counted or the window is over', async () => {
    const { add, read, pass } = counted()
    expect(await read('a')).toEqual({ count: 0, leftMs: 0 })
    await add('a', WINDOW_MS)
    pass(999)
    expect([await read('a'), await read('a')]).toEqual([
      { count: 1, leftMs: 1 },
      { count: 1, leftMs: 1 },
    ])
    pass(1)
    expect(await read('a')).toEqual({ count: 0, leftMs: 0 })
  })

  it('are taken back, and never below none', async () => {
    const { add, read, takeBack } = counted()
    await add('a', WINDOW_MS)
    await add('a', WINDOW_MS)
    await takeBack('a')
    expect((await read('a')).count).toBe(1)
    for (const key of ['a', 'a', 'unknown']) await takeBack(key)
    expect((await read('a')).count).toBe(0)
  })

  it('take a bounded memory: those that are over go first, then the oldest', async () => {
    const { add, read, pass } = counted(2)
    await add('a:old', 10)
    pass(1)
    await add('a:b', WINDOW_MS)
    pass(10)
    await add('a:c', WINDOW_MS)
    expect((await read('a:b')).count).toBe(1)
    await add('a:d', WINDOW_MS)
    expect([(await read('a:b')).count, (await read('a:c')).count, (await read('a:d')).count]).toEqual([0, 1, 1])
  })

  it('[SAFE-06] of one kind push none of another out', async () => {
    const { add, read } = counted(3)
    await add('login-pair:victim', WINDOW_MS)
    for (let reader = 0; reader < 10; reader++) await add(`article-view:${reader}`, WINDOW_MS)
    expect((await read('login-pair:victim')).count).toBe(1)
  })

  it('cost the same however many there are', async () => {
    let looks = 0
    const { add } = createLocalCounters(() => {
      looks += 1
      return 0
    }, 1_000)
    for (let key = 0; key < 3_000; key++) await add(`a:${key}`, WINDOW_MS)
    expect(looks).toBeLessThan(3_000 * 5)
  })
})
