import { randomUUID } from 'node:crypto'
import { WEBHOOK_EVENTS } from '@siarin/contracts/webhooks'
import { waitFor } from '@siarin/testkit/wait-for'
import type { ReceivedWebhook } from '@siarin/testkit/webhook-receiver'
import { Webhook } from 'standardwebhooks'
import { expect } from 'vitest'
import { type Fact, writeFacts } from '../../src/platform/outbox/facts.ts'
import { bearer, call, signIn, type TestProgram } from './program.ts'

/** A person with the calls about webhooks. */
export async function hookOwner(program: Pick<TestProgram, 'url'>) {
  const { user, token, password } = await signIn(program.url)
  const headers = bearer(token)
  const ask = (method: string, path: string, body?: object) =>
    call(program.url, method, `/fitur/webhook${path}`, { headers, ...(body && { body }) })
  return {
    ...{ user, headers, password, ask },
    add: (url: string, more: object = {}) => ask('POST', '', { url, events: WEBHOOK_EVENTS, ...more }),
    list: () => ask('GET', ''),
    get: async (id: string) => (await ask('GET', `/${id}`)).body.data,
    log: async (id: string, query = '') => (await ask('GET', `/${id}/deliveries${query}`)).body.data,
    delivery: async (id: string, deliveryId: string) => (await ask('GET', `/${id}/deliveries/${deliveryId}`)).body.data,
    /** Waits until nothing waits any more. */
    settled: (id: string) =>
      waitFor(
        'every delivery to be over',
        async () => {
          const { waiting } = (await ask('GET', `/${id}`)).body.data
          return waiting === 0
        },
        { everyMs: 20 },
      ),
  }
}

const AT = Date.UTC(2026, 10, 16, 20)

/** Something happened, as far as the outbox knows. */
export async function tell(
  { db }: Pick<TestProgram, 'db'>,
  { email }: { email: string },
  facts: readonly Omit<Fact, 'at'>[],
  subject: { kind: 'stream' | 'video' | 'schedule' | 'workspace'; id: string } = { kind: 'stream', id: randomUUID() },
): Promise<void> {
  const { id: userId } = await db.selectFrom('users').select('id').where('email', '=', email).executeTakeFirstOrThrow()
  const told = facts.map((fact) => ({ ...fact, at: AT }) as Fact)
  await db.transaction().execute((inside) => writeFacts(inside, { ...subject, userId }, told))
}

/** Whether webhooks have seen every fact. */
export async function hasTakenAll({ db }: Pick<TestProgram, 'db'>): Promise<boolean> {
  const { newest } = await db
    .selectFrom('outbox')
    .select(({ fn }) => fn.max('id').as('newest'))
    .executeTakeFirstOrThrow()
  const reader = await db
    .selectFrom('outbox_readers')
    .select('after_id')
    .where('name', '=', 'webhooks')
    .executeTakeFirstOrThrow()
  return Number(reader.after_id) >= Number(newest)
}

export const LIVE = { fact: 'stream.live', payload: {} } as const

/** Fails unless the receiver can know by this secret who has sent it. */
export function assertSigned(secret: string, received: readonly ReceivedWebhook[]): void {
  for (const { body, headers } of received) expect(() => new Webhook(secret).verify(body, headers)).not.toThrow()
}
