import { setTimeout as sleep } from 'node:timers/promises'
import { Secret } from '@siarin/media/secret'
import { startRedis } from '@siarin/testkit/redis'
import { waitFor } from '@siarin/testkit/wait-for'
import { pino } from 'pino'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createBullMqQueue } from '../src/platform/queue/bullmq.ts'
import { createInProcessQueue } from '../src/platform/queue/in-process.ts'
import type { JobContext, JobOutcome, Queue } from '../src/platform/queue/queue.ts'
import { createRefill } from '../src/platform/queue/refill.ts'
import { freshRedis } from './support/shared-servers.ts'

const log = pino({ level: 'silent' })
const aborted = (context: JobContext) =>
  new Promise<void>((resolve) => {
    if (context.signal.aborted) resolve()
    context.signal.addEventListener('abort', () => resolve(), { once: true })
  })

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

describe('two machines on one Redis', () => {
  it('one runs an id once more that the other adds while it runs', async () => {
    const prefix = `test-${prefixes++}`
    const [web, worker] = [bullMq(prefix), bullMq(prefix)]
    const finish: (() => void)[] = []
    worker.work('prepare-video', 1, async () => {
      await new Promise<void>((resolve) => finish.push(resolve))
      return 'done'
    })
    await web.add('prepare-video', 'a')
    await waitFor('the first run', async () => finish.length === 1)
    await web.add('prepare-video', 'a')
    finish[0]?.()
    await waitFor('the second run', async () => finish.length === 2)
    finish[1]?.()
    await Promise.all([web.close(), worker.close()])
  })

  it('a job that one gives back at its end goes on at the other', async () => {
    const prefix = `test-${prefixes++}`
    const [first, second] = [bullMq(prefix), bullMq(prefix)]
    const where: string[] = []
    const handlerOf = (name: string) => async (_: string, context: JobContext) => {
      where.push(name)
      await aborted(context)
      return 'again' as const
    }
    first.work('stream', 1, handlerOf('first'))
    await first.add('stream', 'a')
    await waitFor('the first to have it', async () => where.length === 1)
    second.work('stream', 1, handlerOf('second'))
    await first.close()
    await waitFor('the second to have it', async () => where.length === 2)
    expect(where).toEqual(['first', 'second'])
    await second.close()
  })

  it('what a Redis has lost while it ran is taken up again when its holder has noticed', async () => {
    const own = await startRedis()
    const queue = createBullMqQueue({ redisUrl: new Secret(own.url), log, lockMs: 1_500 })
    let runs = 0
    queue.work('stream', 1, async (_, context) => {
      runs++
      await aborted(context)
      return 'again'
    })
    await queue.add('stream', 'a')
    await waitFor('the job to start', async () => runs === 1)
    await queue.add('stream', 'waits')
    expect(await queue.missing('stream', ['a', 'waits', 'b'])).toEqual(['b'])
    await own.forgetEverything()
    // Nobody holds it who could put it back.
    expect(await queue.missing('stream', ['waits', 'b'])).toEqual(['waits', 'b'])
    await waitFor('it to run again', async () => runs === 2)
    await queue.close()
    await own.stop()
  })

  it('one that is first asked while Redis does not answer works when it is back', async () => {
    const own = await startRedis()
    const queue = createBullMqQueue({ redisUrl: new Secret(own.url), log, lockMs: 1_500 })
    const done: string[] = []
    await queue.ping()
    own.pause()
    await queue.add('prepare-video', 'a')
    own.resume()
    queue.work('prepare-video', 1, async (id) => {
      done.push(id)
      return 'done'
    })
    // As the refill does it: what was added meanwhile may have got lost.
    await waitFor('it to be done', async () => {
      for (const id of await queue.missing('prepare-video', ['a'])) await queue.add('prepare-video', id)
      return done.includes('a')
    })
    await queue.close()
    await own.stop()
  })

  it('whoever adds before Redis has ever answered is not kept waiting', async () => {
    const own = await startRedis()
    own.pause()
    const queue = createBullMqQueue({ redisUrl: new Secret(own.url), log, lockMs: 1_500 })
    const begun = performance.now()
    await queue.add('stream', 'a')
    expect(performance.now() - begun).toBeLessThan(5 * 4_000)
    own.resume()
    await queue.close()
    await own.stop()
  })

  it('a holder that cannot reach Redis lets go before its lock lapses', async () => {
    const own = await startRedis()
    const lockMs = 6_000
    const queue = createBullMqQueue({ redisUrl: new Secret(own.url), log, lockMs })
    let hasStarted = false
    let letGoAt = 0
    queue.work('stream', 1, async (_, context) => {
      hasStarted = true
      await aborted(context)
      letGoAt = performance.now()
      return 'done'
    })
    await queue.add('stream', 'a')
    await waitFor('the job to start', async () => hasStarted)
    // Its lock was renewed before that, if only a moment ago.
    const pausedAt = performance.now()
    own.pause()
    await waitFor('it to let go', async () => letGoAt > 0)
    expect(letGoAt - pausedAt).toBeLessThan(lockMs)
    own.resume()
    await queue.close()
    await own.stop()
  })
})
