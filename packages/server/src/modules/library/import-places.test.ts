import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createImportPlaces, type ImportPlace } from './import-places.ts'

const NEVER = new AbortController().signal
const OPTIONS = { most: 4, keptForOthers: 2, settledMs: 10_000, putOffMs: 600_000 }

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
afterEach(() => void vi.useRealTimers())

/** Four imports that have been under way for a while, the later the quicker. */
async function fourUnderWay() {
  const places = createImportPlaces(OPTIONS)
  const taken: ImportPlace[] = []
  for (const user of ['a', 'b', 'c', 'd']) {
    const place = await places.enter(user, NEVER)
    if (place) taken.push(place)
    place?.noteArrived(taken.length * 1_000_000)
  }
  await vi.advanceTimersByTimeAsync(OPTIONS.settledMs)
  return { places, taken, gaveWay: () => taken.map(({ signal }) => signal.aborted) }
}

describe('imports that take every place', () => {
  it('go on for as long as nobody waits', async () => {
    const { gaveWay } = await fourUnderWay()
    await vi.advanceTimersByTimeAsync(86_400_000)
    expect(gaveWay()).toEqual([false, false, false, false])
  })

  it('give way at once to one that begins: that which has brought least for its time', async () => {
    const { places, gaveWay } = await fourUnderWay()
    expect(await places.enter('e', NEVER)).not.toBeNull()
    expect(gaveWay()).toEqual([true, false, false, false])
    expect(await places.enter('f', NEVER)).not.toBeNull()
    expect(gaveWay()).toEqual([true, true, false, false])
  })

  it('are not judged before they could begin', async () => {
    const places = createImportPlaces(OPTIONS)
    const first = await Promise.all(['a', 'b', 'c', 'd'].map((user) => places.enter(user, NEVER)))
    let begun = false
    const fifth = places.enter('e', NEVER).then(() => {
      begun = true
    })
    await vi.advanceTimersByTimeAsync(OPTIONS.settledMs - 1)
    expect(begun).toBe(false)
    await vi.advanceTimersByTimeAsync(OPTIONS.settledMs / 5 + 1)
    await fifth
    expect(first.filter((place) => place?.signal.aborted)).toHaveLength(1)
  })

  it('leave their place to the next when they are through, and nobody gives way', async () => {
    const places = createImportPlaces(OPTIONS)
    const first = await Promise.all(['a', 'b', 'c', 'd'].map((user) => places.enter(user, NEVER)))
    const fifth = places.enter('e', NEVER)
    first[2]?.giveBack()
    expect(await fifth).not.toBeNull()
    expect(first.some((place) => place?.signal.aborted)).toBe(false)
  })

  it('put their user behind the others once they had to give way, for a while', async () => {
    const { places, taken } = await fourUnderWay()
    await places.enter('e', NEVER)
    // The one that gave way ends later, and frees no second place by it.
    taken[0]?.giveBack()
    expect(['a', 'b', 'x'].map(places.hasToWait)).toEqual([true, false, false])
    for (const place of taken.slice(1)) place.giveBack()
    // Now there is room beside what is kept for others.
    expect(places.hasToWait('a')).toBe(false)
    await Promise.all(['f', 'g'].map((user) => places.enter(user, NEVER)))
    expect(places.hasToWait('a')).toBe(true)
    await vi.advanceTimersByTimeAsync(OPTIONS.putOffMs)
    expect(places.hasToWait('a')).toBe(false)
  })

  it('do not begin for a program that closes', async () => {
    const places = createImportPlaces(OPTIONS)
    await Promise.all(['a', 'b', 'c', 'd'].map((user) => places.enter(user, NEVER)))
    const closing = new AbortController()
    const fifth = places.enter('e', closing.signal)
    closing.abort()
    expect(await fifth).toBeNull()
    expect(await places.enter('f', closing.signal)).toBeNull()
  })
})
