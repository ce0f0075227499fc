import { waitFor } from '@siarin/testkit/wait-for'
import { startWebhookReceiver, type WebhookReceiver } from '@siarin/testkit/webhook-receiver'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { alertSuite, NOON, until } from './support/alert-suite.ts'
import { wasGivenUp } from './support/alert-world.ts'
import { DATABASES, startProgramOn } from './support/databases.ts'
import type { TestProgram } from './support/program.ts'
import { addUser, REPO_DATABASES } from './support/repo-databases.ts'
import { hookOwner, LIVE, tell } from './support/webhooks.ts'

/** After so long one that hangs leaves its place to others; it is given up after 15 s. */
const SLOW_MS = 1_500
const BOUND_MS = 5 * SLOW_MS

const sayMs = (what: string, ms: number): void =>
  void process.stdout.write(`${what}: ${(ms / 1000).toFixed(1)} s, at most ${SLOW_MS / 1000} + a moment\n`)

describe.each(DATABASES)('[SAFE-07] webhooks whose receivers hang, on $name', { timeout: 60_000 }, ({ open }) => {
  let program: TestProgram
  let receiver: WebhookReceiver

  beforeAll(async () => {
    receiver = await startWebhookReceiver()
    program = await startProgramOn(open)
  })
  afterAll(async () => {
    await program.close()
    await receiver.dispose()
  })

  it('do not hold up a stranger, also where they hang for the first time and take every place', async () => {
    const names = ['a', 'b', 'c'].flatMap((person) => [`${person}-1`, `${person}-2`])
    for (const name of names) receiver.answer(name, 'hang')
    for (const person of ['a', 'b', 'c']) {
      const owner = await hookOwner(program)
      for (const name of names) if (name.startsWith(person)) await owner.add(receiver.urlOf(name))
      for (let count = 0; count < 4; count++) await tell(program, owner.user, [LIVE])
    }
    const openCalls = () => names.reduce((sum, name) => sum + receiver.open(name), 0)
    await waitFor('every place to be taken', async () => openCalls() >= 20, { everyMs: 20 })
    const stranger = await hookOwner(program)
    await stranger.add(receiver.urlOf('stranger'))
    await tell(program, stranger.user, [LIVE])
    const since = performance.now()
    await receiver.got('stranger', 1)
    const ms = performance.now() - since
    sayMs('a webhook of a stranger beside 24 that hang', ms)
    expect(ms).toBeLessThan(BOUND_MS)
    expect(openCalls()).toBeGreaterThan(0)
  })

  it('do not keep a stranger from a test, where they hang in as many as go on at once', async () => {
    const names = Array.from({ length: 8 }, (_, index) => `tested-${index}`)
    const stranger = await hookOwner(program)
    const { id } = (await stranger.add(receiver.urlOf('tested-stranger'))).body.data
    const hanging = await Promise.all(
      names.map(async (name) => {
        receiver.answer(name, 'hang')
        const owner = await hookOwner(program)
        const added = (await owner.add(receiver.urlOf(name))).body.data
        return () => owner.ask('POST', `/${added.id}/test`).catch(() => {})
      }),
    )
    for (const test of hanging) void test()
    await waitFor('all of them to hang', async () => names.every((name) => receiver.open(name) === 1), { everyMs: 20 })
    const test = async () => (await stranger.ask('POST', `/${id}/test`)).status
    await expect.poll(test, { interval: SLOW_MS / 5, timeout: BOUND_MS }).toBe(200)
    expect(names.every((name) => receiver.open(name) === 1)).toBe(true)
  })
})

describe.each(REPO_DATABASES)('[SAFE-07] alerts whose servers hang, on $name', { timeout: 60_000 }, ({ open }) => {
  const suite = alertSuite(open)

  it('do not hold up a stranger, also where they hang for the first time and take every place', async () => {
    const { world, userId: stranger, db } = suite
    const people = await Promise.all(Array.from({ length: 6 }, () => addUser(db)))
    for (const [index, id] of people.entries()) {
      for (let channel = 0; channel < 4; channel++) {
        const to = `silent-${index}-${channel}`
        world.answers.set(to, 'silent')
        await world.addChannel(id, to)
      }
    }
    await world.addChannel(stranger, 'mine')
    await world.start({ sendMs: 15_000 })
    for (const [index, id] of people.entries()) await world.tell(id, `s${index}`, wasGivenUp(NOON))
    const claimed = db.selectFrom('alert_channels').select('id').where('claimed_until', 'is not', null)
    await until(async () => expect((await claimed.execute()).length).toBeGreaterThanOrEqual(20))
    await world.tell(stranger, 'own', wasGivenUp(NOON))
    const since = performance.now()
    await until(() => expect(world.titlesTo('mine')).toHaveLength(1))
    const ms = performance.now() - since
    sayMs('an alert of a stranger beside 24 that hang', ms)
    expect(ms).toBeLessThan(BOUND_MS)
  })
})
