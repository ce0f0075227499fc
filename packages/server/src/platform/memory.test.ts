import { describe, expect, it } from 'vitest'
import { createMemory } from './memory.ts'

function stage() {
  const world = { version: 1, now: 0, reads: 0, value: 'first' }
  const memory = createMemory<{ value: string }>({
    version: () => world.version,
    lifeMs: 1_000,
    most: 3,
    now: () => world.now,
  })
  const read = async () => {
    world.reads++
    return { value: world.value }
  }
  return { world, memory, read, recall: (key = 'a') => memory.recall(key, read) }
}

describe('what was read a moment ago', () => {
  it('is not read again until its time is over', async () => {
    const { world, recall } = stage()
    await recall()
    world.now = 999
    await recall()
    expect(world.reads).toBe(1)
    world.now = 1_000
    await recall()
    expect(world.reads).toBe(2)
  })

  it('counts no more after a change', async () => {
    const { world, memory, recall } = stage()
    await recall()
    Object.assign(world, { version: 2, value: 'second' })
    expect(await recall()).toEqual({ value: 'second' })
    expect(memory.size()).toBe(1)
  })

  it('is not kept if something was changed while it was read', async () => {
    const { world, memory, recall } = stage()
    await memory.recall('a', async () => {
      const old = { value: world.value }
      Object.assign(world, { version: 2, value: 'second' })
      return old
    })
    expect(memory.size()).toBe(0)
    expect(await recall()).toEqual({ value: 'second' })
  })

  it('is found under its other names', async () => {
    const { world, memory, read } = stage()
    await memory.recall('key:a', read, () => ['user:1'])
    expect(await memory.recall('user:1', read)).toEqual({ value: 'first' })
    expect(world.reads).toBe(1)
  })

  it('is forgotten, the oldest first, when there is no room', async () => {
    const { world, memory, recall } = stage()
    for (const key of ['a', 'b', 'c', 'd']) await recall(key)
    expect(memory.size()).toBe(3)
    await recall('d')
    expect(world.reads).toBe(4)
    await recall('a')
    expect(world.reads).toBe(5)
  })

  it('is nothing where nothing was found: anybody can ask for that', async () => {
    const { memory } = stage()
    for (const key of ['x', 'y']) expect(await memory.recall(key, async () => null)).toBeNull()
    expect(memory.size()).toBe(0)
  })
})
