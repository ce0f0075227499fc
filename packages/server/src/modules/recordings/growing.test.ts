import { setTimeout as sleep } from 'node:timers/promises'
import { RECORDING_TEXTS } from '@siarin/contracts/recording-texts'
import { afterAll, describe, expect, it } from 'vitest'
import { createOwnersTurns, type InOwnersTurn } from './growing.ts'

const SOON = { afterMs: 20, atMostAfterMs: 80, lookEveryMs: 10 }
const { signal: never } = new AbortController()

/** The works of others, which wait for a store that does not answer. */
const over = new AbortController()
const hang = () => new Promise<never>((_, reject) => over.signal.addEventListener('abort', reject))
const bringHanging = (inTurn: InOwnersTurn, ...owners: string[]): void => {
  for (const owner of owners) inTurn(owner, hang, over.signal).catch(() => {})
}
afterAll(() => over.abort())

describe('[SAFE-07] what is worked out of recordings', () => {
  it('gives way to that of others while it takes long, however many do and whatever they wait for', async () => {
    const inTurn = createOwnersTurns({ ...SOON, atMostAfterMs: 60_000 })
    bringHanging(inTurn, 'a', 'b', 'c', 'd', 'e')
    const quick = (owner: string) => Promise.race([inTurn(owner, async () => 'done', never), sleep(5_000, 'waits')])
    // Also once those that take long have taken long several times.
    for (const owner of ['ani', 'budi', 'citra', 'ani']) {
      expect(await quick(owner)).toBe('done')
      await sleep(200)
    }
  })

  it('goes on with more time behind others that take long, until it is done', async () => {
    const inTurn = createOwnersTurns(SOON)
    bringHanging(inTurn, 'a', 'b', 'c')
    let begun = 0
    const long = (signal: AbortSignal) => {
      begun++
      // Its time is over before it is done, the first times.
      return sleep(50, 'done', { signal })
    }
    const done = inTurn('ani', long, never)
    bringHanging(inTurn, 'd', 'e', 'f')
    expect(await Promise.race([done, sleep(10_000, 'waits')])).toBe('done')
    expect(begun).toBeGreaterThan(1)
  })

  it('goes on undisturbed while nobody else waits', async () => {
    const inTurn = createOwnersTurns(SOON)
    let begun = 0
    const own = async (signal: AbortSignal) => {
      begun++
      await sleep(150, null, { signal })
    }
    // Those of one owner wait for each other in any case.
    await Promise.all([inTurn('ani', own, never), inTurn('ani', own, never)])
    expect(begun).toBe(2)
  })

  it('ends with those who wanted it, and with its own faults', async () => {
    const inTurn = createOwnersTurns(SOON)
    const gone = new AbortController()
    const unwanted = inTurn('ani', (signal) => sleep(60_000, null, { signal }), gone.signal)
    const waiting = inTurn('ani', async () => null, gone.signal)
    gone.abort(new Error('gone'))
    const ends = await Promise.allSettled([unwanted, waiting])
    expect(ends.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    const fails = inTurn('ani', () => Promise.reject(new Error('a fault')), never)
    await expect(fails).rejects.toThrow('a fault')
  })

  it('is refused where too many of one owner wait', async () => {
    const inTurn = createOwnersTurns(SOON)
    bringHanging(inTurn, ...new Array<string>(21).fill('ani'))
    await expect(inTurn('ani', hang, never)).rejects.toThrow(RECORDING_TEXTS.busy)
    expect(await inTurn('budi', async () => 'done', never)).toBe('done')
  })
})
