import { Secret } from '@siarin/media/secret'
import { startRedis } from '@siarin/testkit/redis'
import { waitFor } from '@siarin/testkit/wait-for'
import { pino } from 'pino'
import { beforeAll, describe, expect, it } from 'vitest'
import { createBullMqQueue } from '../src/platform/queue/bullmq.ts'
import type { JobContext } from '../src/platform/queue/queue.ts'
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
