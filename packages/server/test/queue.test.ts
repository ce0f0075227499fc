import { setTimeout as sleep } from 'node:timers/promises'
import { Secret } from '@siarin/media/secret'
import { waitFor } from '@siarin/testkit/wait-for'
import { pino } from 'pino'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createBullMqQueue } from '../src/platform/queue/bullmq.ts'
import { createInProcessQueue } from '../src/platform/queue/in-process.ts'
import type { JobOutcome, Queue } from '../src/platform/queue/queue.ts'
import { createRefill } from '../src/platform/queue/refill.ts'
import { aborted } from './support/aborted.ts'
import { freshRedis } from './support/shared-servers.ts'

const log = pino({ level: 'silent' })

let redisUrl: string
let prefixes = 0
beforeAll(async () => {
  redisUrl = await freshRedis()
})

const bullMq = (prefix: string, lockMs = 3_000) =>
  createBullMqQueue({ redisUrl: new Secret(redisUrl), log, lockMs, retryDelayMs: 50, prefix })

/** One contract for both: whatever holds on one machine holds on many. */
describe.each([
  { name: 'in process', create: () => createInProcessQueue({ log, retryDelayMs: 50 }) },
  { name: 'BullMQ', create: () => bullMq(`test-${prefixes++}`) },
])('the queue $name', ({ create }) => {
  const open: Queue[] = []
  const newQueue = (): Queue => {
    const queue = create()
    open.push(queue)
    return queue
  }
  afterEach(async () => {
    await Promise.all(open.splice(0).map((queue) => queue.close()))
  })

  it('hands each id to a handler, also those that came before it', async () => {
    const queue = newQueue()
    const seen: string[] = []
    await queue.add('stream', 'a')
    queue.work('stream', 5, async (id) => {
      seen.push(id)
      return 'done'
    })
    await queue.add('stream', 'b')
    await waitFor('both jobs', async () => seen.length === 2)
    expect(seen.sort()).toEqual(['a', 'b'])
    await queue.ping()
  })

  it('runs one handler for an id at a time, however often it is added', async () => {
    const queue = newQueue()
    let running = 0
    let most = 0
    let runs = 0
    queue.work('stream', 5, async () => {
      running++
      runs++
      most = Math.max(most, running)
      await sleep(100)
      running--
      return 'done'
    })
    await Promise.all(Array.from({ length: 10 }, () => queue.add('stream', 'same')))
    await waitFor('it to run', async () => runs > 0 && running === 0)
    expect(most).toBe(1)
    // Those that came while it ran may have come too late for it: they are worth one more run, not ten.
    await sleep(300)
    expect(runs).toBeLessThanOrEqual(2)
  })

  it('takes an id again once it is done', async () => {
    const queue = newQueue()
    let runs = 0
    queue.work('stream', 5, async () => {
      runs++
      return 'done'
    })
    await queue.add('stream', 'a')
    await waitFor('the first run', async () => runs === 1)
    await waitFor('its end', async () => (await queue.counts()).stream.active === 0)
    await queue.add('stream', 'a')
    await waitFor('the second run', async () => runs === 2)
  })

  it('runs an id once more that was added while it ran, behind those that waited', async () => {
    const queue = newQueue()
    const seen: string[] = []
    let finish = () => {}
    queue.work('stream', 1, async (id) => {
      seen.push(id)
      if (seen.length === 1) await new Promise<void>((resolve) => (finish = resolve))
      return 'done'
    })
    await queue.add('stream', 'a')
    await waitFor('it to run', async () => seen.length === 1)
    await queue.add('stream', 'b')
    for (let times = 0; times < 3; times++) await queue.add('stream', 'a')
    finish()
    await waitFor('nothing to be left', async () => {
      const { waiting, active } = (await queue.counts()).stream
      return seen.length >= 3 && waiting + active === 0
    })
    expect(seen).toEqual(['a', 'b', 'a'])
  })

  it('runs an id once more that adds itself at its end', async () => {
    const queue = newQueue()
    let left = 3
    queue.work('stream', 1, async (id) => {
      if (--left > 0) await queue.add('stream', id)
      return 'done'
    })
    await queue.add('stream', 'a')
    await waitFor('three runs', async () => left === 0)
  })

  it('runs an id again after a failure as often as it takes, whatever was added meanwhile', async () => {
    const queue = newQueue()
    let runs = 0
    queue.work('stream', 1, async (id) => {
      runs++
      if (runs > 2) return 'done'
      await queue.add('stream', id)
      throw new Error('broken on purpose')
    })
    await queue.add('stream', 'a')
    await waitFor('the third run', async () => runs >= 3)
  })

  it('knows what has no job', async () => {
    const queue = newQueue()
    let finish = () => {}
    queue.work('stream', 1, async () => {
      await new Promise<void>((resolve) => (finish = resolve))
      return 'done'
    })
    await queue.add('stream', 'runs')
    await queue.add('stream', 'waits')
    await waitFor('one to run', async () => (await queue.counts()).stream.active === 1)
    expect(await queue.missing('stream', ['runs', 'waits', 'unknown'])).toEqual(['unknown'])
    await queue.add('prepare-video', 'unknown')
    expect(await queue.missing('stream', ['unknown'])).toEqual(['unknown'])
    finish()
    await waitFor('the first to be over', async () => (await queue.missing('stream', ['runs'])).length === 1)
    finish()
  })

  it('gets back what it has lost once that was missed twice in a row', async () => {
    const queue = newQueue()
    const refill = createRefill({ queue, kind: 'stream', log })
    const runs: string[] = []
    queue.work('stream', 5, async (id) => {
      runs.push(id)
      return 'done'
    })
    await refill(['a', 'b'])
    await refill(['b', 'c'])
    await waitFor('the one to run', async () => runs.length > 0)
    await sleep(100)
    expect(runs).toEqual(['b'])
  })

  it('runs no more at once than it was told', async () => {
    const queue = newQueue()
    let running = 0
    let most = 0
    let ended = 0
    queue.work('stream', 2, async () => {
      most = Math.max(most, ++running)
      await sleep(50)
      running--
      ended++
      return 'done'
    })
    for (const id of ['a', 'b', 'c', 'd', 'e']) await queue.add('stream', id)
    await waitFor('all five', async () => ended === 5)
    expect(most).toBe(2)
  })

  it('calls a handler again that failed, or that asked for it', async () => {
    const queue = newQueue()
    const outcomes: (() => JobOutcome)[] = [
      () => {
        throw new Error('broken on purpose')
      },
      () => 'again',
      () => 'done',
    ]
    let runs = 0
    queue.work('stream', 5, async () => outcomes[runs++]?.() ?? 'done')
    await queue.add('stream', 'a')
    await waitFor('the third run', async () => runs === 3)
    await sleep(200)
    expect(runs).toBe(3)
  })

  it('tells what runs to let go when it closes, and waits for it', async () => {
    const queue = newQueue()
    let letGo = false
    let started = false
    queue.work('stream', 5, async (_, context) => {
      started = true
      await aborted(context)
      await sleep(100)
      letGo = true
      return 'again'
    })
    await queue.add('stream', 'a')
    await waitFor('the job to start', async () => started)
    await queue.close()
    expect(letGo).toBe(true)
  })
})
