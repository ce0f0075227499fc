import { describe, expect, it } from 'vitest'
import { place, type Taker } from './placement.ts'

const idle = { max_streams: 100, cpu: 0.1, memory: 0.9 }
const worker = (id: string, more: Partial<Taker> = {}): Taker => ({ id, room: 100, ...idle, ...more })
const streams = Array.from({ length: 60 }, (_, index) => ({ id: `stream-${index}` }))
const counts = (placed: Map<string, string>) => {
  const found: Record<string, number> = {}
  for (const id of placed.values()) found[id] = (found[id] ?? 0) + 1
  return found
}

describe('[MANY-05] where streams go', () => {
  it('is spread over workers alike, and the same whoever asks', () => {
    const three = [worker('a'), worker('b'), worker('c')]
    const placed = place(streams, three)
    expect(counts(placed)).toEqual({ a: 20, b: 20, c: 20 })
    expect(place(streams.toReversed(), three.toReversed())).toEqual(placed)
    expect(Math.max(...Object.values(counts(place(streams.slice(0, 5), three.slice(0, 2)))))).toBe(3)
  })

  it('leans to those with more room, CPU and memory, and never past their room', () => {
    const placed = counts(place(streams, [worker('a'), worker('busy', { cpu: 0.8 }), worker('small', { room: 3 })]))
    expect(placed['a']).toBeGreaterThan(2 * (placed['busy'] ?? 0))
    expect(placed['small']).toBe(3)
    expect(counts(place(streams, [worker('a', { room: 5 }), worker('full', { room: 0 })]))).toEqual({ a: 5 })
  })

  it('moves few when a worker goes', () => {
    const four = ['a', 'b', 'c', 'd'].map((id) => worker(id))
    const one = (id: string, workers: Taker[]) => place([{ id }], workers).get(id)
    const moved = streams.filter(({ id }) => one(id, four) !== 'd' && one(id, four) !== one(id, four.slice(0, 3)))
    expect(moved).toEqual([])
  })

  it('prefers the worker that has the video at hand', () => {
    const two = [worker('a'), worker('b')]
    for (const { id } of streams) expect(place([{ id, standby: 'b' }], two).get(id)).toBe('b')
    expect(place([{ id: 'x', standby: 'gone' }], two).size).toBe(1)
  })
})
