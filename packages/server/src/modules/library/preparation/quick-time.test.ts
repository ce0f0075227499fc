import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { USUAL_TIMINGS } from '../../../platform/timings.ts'
import { createQuickTime } from './quick-time.ts'

const MINUTE = 60_000
const { signal: never } = new AbortController()

/** Makes the video of a user for so many minutes; says after how many it ended, and how. */
async function made(
  inTime: ReturnType<typeof createQuickTime>,
  { user = 'budi', minutes = 1, bytes = 0, signal = never, fault = null as Error | null },
) {
  const begun = performance.now()
  const running = inTime({ id: 'v', user_id: user, original_bytes: bytes }, signal, async (given) => {
    for (let passed = 0; passed < minutes; passed++) {
      await new Promise((resolve) => setTimeout(resolve, MINUTE))
      given.throwIfAborted()
    }
    if (fault) throw fault
    return 'made'
  }).catch((error: Error) => error.message)
  let said: unknown
  void running.then((outcome) => {
    said = outcome
  })
  while (said === undefined) await vi.advanceTimersByTimeAsync(MINUTE)
  return { said, minutes: Math.round((performance.now() - begun) / MINUTE) }
}

describe('[SAFE-04] the time of the quick lane', () => {
  let inTime: ReturnType<typeof createQuickTime>
  beforeEach(() => {
    vi.useFakeTimers()
    inTime = createQuickTime({ log: pino({ level: 'silent' }), timings: USUAL_TIMINGS.mediaTools })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it('is a quarter of an hour, whatever is being made, and as long as it takes to copy what is large', async () => {
    expect(await made(inTime, { minutes: 13 })).toEqual({ said: 'made', minutes: 13 })
    expect(await made(inTime, { minutes: 1_000 })).toMatchObject({ said: null })
    expect(await made(inTime, { user: 'ani', minutes: 40, bytes: 40_000_000_000 })).toMatchObject({ said: 'made' })
  })

  it('is short for an hour for a user whose video took longer, and for nobody else', async () => {
    await made(inTime, { minutes: 1_000 })
    const again = await made(inTime, { minutes: 1_000 })
    expect(again.said).toBeNull()
    expect(again.minutes).toBeLessThan(4)
    expect(await made(inTime, { user: 'ani', minutes: 13 })).toMatchObject({ said: 'made' })
    await vi.advanceTimersByTimeAsync(61 * MINUTE)
    expect(await made(inTime, { minutes: 13 })).toMatchObject({ said: 'made' })
  })

  it('is short, too, for a user whose video failed by itself after a while', async () => {
    expect(await made(inTime, { minutes: 10, fault: new Error('over-time') })).toMatchObject({ said: 'over-time' })
    expect((await made(inTime, { minutes: 1_000 })).minutes).toBeLessThan(4)
  })

  it('hides no fault, and nothing that somebody else has ended', async () => {
    expect(await made(inTime, { minutes: 1, fault: new Error('no room') })).toMatchObject({ said: 'no room' })
    const deleted = new AbortController()
    deleted.abort(new Error('deleted'))
    expect(await made(inTime, { minutes: 5, signal: deleted.signal })).toMatchObject({ said: 'deleted' })
  })
})
