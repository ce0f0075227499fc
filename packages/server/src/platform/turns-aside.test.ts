import { expect, it } from 'vitest'
import { TooManyWaitError } from './fair-turns.ts'
import { createTurnsAside } from './turns-aside.ts'

const LIMITS = { atOnce: 2, slowMs: 20, mostSlow: 3, mostWaiting: 10, mostWaitingEach: 2 }

/** Works that hang until they are told to end. */
function stage() {
  const inTurn = createTurnsAside(LIMITS)
  const begun: string[] = []
  const ends = new Map<string, PromiseWithResolvers<string>>()
  const bring = (name: string) =>
    inTurn(name.slice(0, 1), () => {
      begun.push(name)
      const end = Promise.withResolvers<string>()
      ends.set(name, end)
      return end.promise
    })
  const end = (name: string) => ends.get(name)?.resolve(name)
  return { inTurn, begun, bring, end, fail: (name: string) => ends.get(name)?.reject(new Error(name)) }
}

const aWhile = () => new Promise((resolve) => setTimeout(resolve, 5 * LIMITS.slowMs))

it('[SAFE-04] works that hang give their turns to other owners, as far as there is room beside', async () => {
  const { begun, bring, end } = stage()
  for (const owner of ['a', 'b', 'c', 'd', 'e', 'f']) void bring(`${owner}1`)
  await expect.poll(() => begun).toEqual(['a1', 'b1', 'c1', 'd1', 'e1'])
  // Three are beside, and two keep their turns.
  await aWhile()
  expect(begun).toHaveLength(5)
  end('a1')
  await expect.poll(() => begun).toEqual(['a1', 'b1', 'c1', 'd1', 'e1', 'f1'])
})

it('[SAFE-04] an owner whose work hangs begins no other, and only so many wait', async () => {
  const { begun, bring, end } = stage()
  const works = [bring('a1'), bring('a2'), bring('a3')]
  await expect(bring('a4')).rejects.toThrow(TooManyWaitError)
  await aWhile()
  expect(begun).toEqual(['a1'])
  for (const name of ['a1', 'a2', 'a3']) {
    await expect.poll(() => begun).toContain(name)
    end(name)
  }
  expect(await Promise.all(works)).toEqual(['a1', 'a2', 'a3'])
})

it('[SAFE-04] who brought a work hears what became of it, also beside', async () => {
  const { inTurn, bring, fail } = stage()
  const beside = bring('a1')
  await aWhile()
  fail('a1')
  await expect(beside).rejects.toThrow('a1')
  expect(await inTurn('a', async () => 'done')).toBe('done')
  const refuse = () => {
    throw new Error('at once')
  }
  await expect(inTurn('b', refuse)).rejects.toThrow('at once')
  expect(await inTurn('b', async () => 'done')).toBe('done')
})
