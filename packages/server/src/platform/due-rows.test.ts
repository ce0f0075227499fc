import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { backoffMs, type DueRows, dueRows } from './due-rows.ts'

interface Row {
  readonly id: string
  dueAt: number
  tries: number
}

type Options = Parameters<typeof dueRows<Row>>[0]

const complaints: string[] = []
const log = pino({}, { write: (line: string) => void complaints.push(JSON.parse(line).err.message) })
const opened: DueRows[] = []

beforeEach(() => {
  vi.useFakeTimers({ now: 0 })
  complaints.length = 0
})
afterEach(async () => {
  const ends = opened.splice(0).map((rows) => rows.stop())
  await vi.runOnlyPendingTimersAsync()
  await Promise.all(ends)
  vi.useRealTimers()
})

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)
const after = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** A table whose rows go when they are handled, but for those that the test lets fail. */
function open(ids: readonly string[], change: Partial<Options> = {}) {
  const table = new Map<string, Row>()
  const add = (id: string, dueAt = 0) => void table.set(id, { id, dueAt, tries: 0 })
  for (const id of ids) add(id)
  const tried: string[] = []
  const failing = new Set<string>()
  /** How long it takes to handle one, where that is not nothing. */
  const takesMs = new Map<string, number>()
  const claim = vi.fn(
    async (): Promise<readonly Row[]> => [...table.values()].filter(({ dueAt }) => dueAt <= Date.now()),
  )
  const rows = dueRows<Row>({
    claim,
    idOf: ({ id }) => id,
    async handle({ id }) {
      tried.push(`${id} ${Date.now()}`)
      const ms = takesMs.get(id)
      if (ms) await after(ms)
      if (failing.has(id)) return false
      return table.delete(id)
    },
    backoff: { firstMs: 500, longestMs: 4_000 },
    atOnce: 2,
    everyMs: 1_000,
    clock: { now: () => Date.now() },
    log,
    complaint: 'a row could not be handled',
    random: () => 0.5,
    ...change,
  })
  opened.push(rows)
  return { rows, add, table, tried, failing, takesMs, claim }
}

describe('rows that are due', () => {
  it('are handled at once, and then as they become due', async () => {
    const { rows, add, tried } = open(['a', 'b'])
    rows.start()
    await pass(10)
    expect(tried).toEqual(['a 0', 'b 0'])
    add('c', 1_500)
    await pass(3_000)
    expect(tried).toEqual(['a 0', 'b 0', 'c 2000'])
  })

  it('are looked for later where a start has enough to do', async () => {
    const { rows, tried } = open(['a'], { firstAfterMs: 300 })
    rows.start()
    await pass(299)
    expect(tried).toEqual([])
    await pass(1)
    expect(tried).toEqual(['a 300'])
  })

  it('are looked for as soon as somebody wakes, but neither before the start nor after the stop', async () => {
    const { rows, add, tried, claim } = open([])
    rows.wake()
    await pass(100)
    expect(claim).not.toHaveBeenCalled()
    rows.start()
    await pass(100)
    add('a')
    rows.wake()
    await pass(10)
    expect(tried).toEqual(['a 200'])
    await rows.stop()
    claim.mockClear()
    rows.wake()
    await pass(5_000)
    expect(claim).not.toHaveBeenCalled()
  })

  it('are claimed by one look at a time; all who wake meanwhile get one more', async () => {
    let looks = 0
    let atOnce = 0
    const claim = async () => {
      looks += 1
      atOnce += 1
      expect(atOnce).toBe(1)
      await after(300)
      atOnce -= 1
      return []
    }
    const { rows } = open([], { claim })
    rows.start()
    for (let times = 0; times < 5; times++) rows.wake()
    await pass(100)
    rows.wake()
    await pass(800)
    expect(looks).toBe(2)
  })
})

describe('more rows than there are places', () => {
  it('wait for a place in their order, and one that takes long holds up only its own', async () => {
    const { rows, tried, takesMs } = open(['slow', 'b', 'c', 'd'])
    takesMs.set('slow', 900)
    for (const id of ['b', 'c', 'd']) takesMs.set(id, 100)
    rows.start()
    await pass(950)
    expect(tried).toEqual(['slow 0', 'b 0', 'c 100', 'd 200'])
  })

  it('are asked for by no more than fit', async () => {
    const { rows, takesMs, claim } = open(['a', 'b', 'c'], { atOnce: 3 })
    for (const id of ['a', 'b']) takesMs.set(id, 2_500)
    takesMs.set('c', 100)
    rows.start()
    await pass(1_500)
    expect(claim.mock.calls).toEqual([[3], [1], [1]])
  })

  it('are never handled twice at the same time, however often they are found', async () => {
    const { rows, tried, takesMs } = open(['a', 'b'])
    for (const id of ['a', 'b']) takesMs.set(id, 3_500)
    rows.start()
    await pass(3_400)
    rows.wake()
    await pass(50)
    expect(tried).toEqual(['a 0', 'b 0'])
  })
})

describe('a row whose handling fails', () => {
  it('is tried again after waits that double up to the longest, while others go on', async () => {
    const { rows, add, tried, failing } = open(['a'])
    failing.add('a')
    rows.start()
    await pass(4_600)
    add('b')
    await pass(11_400)
    expect(tried).toEqual(['a 0', 'a 500', 'a 1500', 'a 3500', 'b 5000', 'a 7500', 'a 11500', 'a 15500'])
  })

  it('counts anew once it went well', async () => {
    const { rows, add, tried, failing } = open(['a'])
    failing.add('a')
    rows.start()
    await pass(1_400)
    failing.clear()
    await pass(500)
    failing.add('a')
    add('a')
    await pass(1_000)
    expect(tried).toEqual(['a 0', 'a 500', 'a 1500', 'a 2000', 'a 2500'])
  })

  it('counts anew when others have seen to it meanwhile', async () => {
    const { rows, add, table, tried, failing } = open(['a'])
    failing.add('a')
    rows.start()
    await pass(1_400)
    table.delete('a')
    await pass(1_000)
    add('a')
    await pass(1_200)
    expect(tried).toEqual(['a 0', 'a 500', 'a 3000', 'a 3500'])
  })

  it('keeps its tries, and when it is due again, where it has a place for them', async () => {
    const { rows, table, tried, failing } = open(['a'], {
      backoff: {
        firstMs: 600,
        longestMs: 60_000,
        inRow: {
          triesOf: ({ tries }) => tries,
          async putOff(row, untilMs) {
            row.dueAt = untilMs
            row.tries += 1
          },
        },
      },
    })
    failing.add('a')
    rows.start()
    await pass(3_500)
    // Found by a look, so at the next whole second.
    expect(tried).toEqual(['a 0', 'a 1000', 'a 3000'])
    expect(table.get('a')).toEqual({ id: 'a', tries: 3, dueAt: 3_000 + 4 * 600 })
  })

  it('is complained of and tried again when it throws, also if it cannot be put off', async () => {
    const putOff = vi.fn(async () => {
      throw new Error('no room')
    })
    const handle = vi.fn(async () => {
      throw new Error('away')
    })
    const { rows } = open(['a'], {
      handle,
      backoff: { firstMs: 500, longestMs: 500, inRow: { triesOf: () => 0, putOff } },
    })
    rows.start()
    await pass(1_100)
    expect(handle).toHaveBeenCalledTimes(2)
    expect(complaints).toEqual(['away', 'no room', 'away', 'no room'])
  })

  it('holds up nobody when the look itself fails', async () => {
    let looks = 0
    const { rows, table } = open(['a'], {
      async claim() {
        looks += 1
        if (looks === 1) throw new Error('locked')
        return [...table.values()]
      },
    })
    rows.start()
    await pass(1_010)
    expect([complaints, table.size]).toEqual([['locked'], 0])
  })

  it('waits about as long as it should: what failed together does not come together', () => {
    const bounds = { firstMs: 1_000, longestMs: 60_000 }
    expect([0, 0.5, 1].map((random) => backoffMs(0, bounds, random))).toEqual([900, 1_000, 1_100])
    expect([1, 2, 5, 6, 7, 1_000].map((tries) => backoffMs(tries, bounds, 0.5))).toEqual([
      ...[2_000, 4_000, 32_000, 60_000, 60_000, 60_000],
    ])
  })
})

describe('a stop', () => {
  it('waits for what is under way, and begins nothing more', async () => {
    const { rows, tried, table, takesMs } = open(['a', 'b', 'c'])
    for (const id of ['a', 'b', 'c']) takesMs.set(id, 400)
    rows.start()
    await pass(100)
    let isOver = false
    const over = rows.stop().then(() => {
      isOver = true
    })
    await pass(299)
    expect(isOver).toBe(false)
    await pass(1)
    await over
    await pass(5_000)
    expect(tried).toEqual(['a 0', 'b 0'])
    expect([...table.keys()]).toEqual(['c'])
  })

  it('handles what a look has just claimed: nobody else may', async () => {
    const { rows, tried } = open([], {
      async claim() {
        await after(200)
        return [{ id: 'a', dueAt: 0, tries: 0 }]
      },
    })
    rows.start()
    await pass(100)
    const over = rows.stop()
    await pass(100)
    await over
    expect(tried).toEqual(['a 200'])
  })

  it('forgets what was to be tried again', async () => {
    const { rows, tried, failing } = open(['a'])
    failing.add('a')
    rows.start()
    await pass(100)
    await rows.stop()
    await pass(5_000)
    expect(tried).toEqual(['a 0'])
    expect(vi.getTimerCount()).toBe(0)
  })
})
