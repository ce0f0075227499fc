import { ECDH } from 'node:crypto'
import { z } from 'zod'
import { EgressRefused, type Guard } from '../../../platform/egress/guard.ts'
import type { CheckedDestination } from './channels.ts'

/** What a browser hands out: an address that takes pushes for it, and its keys. */
export interface PushSubscription {
  readonly endpoint: string
  readonly keys: { readonly p256dh: string; readonly auth: string }
}

const KEY_BYTES = 65
const AUTH_BYTES = 16
const ENDPOINT_MAX = 2_000

const ofBytes = (count: number) =>
  z
    .string()
    .max(200)
    .regex(/^[\w-]+={0,2}$/)
    .transform((text) => Buffer.from(text, 'base64url'))
    .refine((bytes) => bytes.length === count)

const Subscription = z.object({
  endpoint: z.string().max(ENDPOINT_MAX),
  keys: z.object({
    p256dh: ofBytes(KEY_BYTES)
      .refine(isPoint)
      .transform((bytes) => bytes.toString('base64url')),
    auth: ofBytes(AUTH_BYTES).transform((bytes) => bytes.toString('base64url')),
  }),
})

/** Nothing can be encrypted for what is no point of the curve. */
function isPoint(bytes: Buffer): boolean {
  try {
    ECDH.convertKey(bytes, 'prime256v1')
    return true
  } catch {
    return false
  }
}

interface Judgement {
  readonly guard: Guard
  /** Only a network of one's own has push services without TLS. */
  readonly allowHttp: boolean
}

/** Null: it is no subscription. Where its address leads is not judged here. */
export function readSubscription(given: unknown, { guard, allowHttp }: Judgement): PushSubscription | null {
  const read = Subscription.safeParse(given)
  if (!read.success) return null
  try {
    const endpoint = guard.parse(read.data.endpoint, allowHttp ? ['https:', 'http:'] : ['https:'])
    return { endpoint: endpoint.href, keys: read.data.keys }
  } catch (error) {
    if (error instanceof EgressRefused) return null
    throw error
  }
}

const Bound = z.object({ session: z.string() })

/** In which session it was made; null: in none, by an API client or an older version. */
export const sessionOf = (stored: unknown): string | null => Bound.safeParse(stored).data?.session ?? null

/** The address comes from a browser, so from anybody. `session`: whose end is the end of these pushes. */
export async function checkSubscription(
  given: unknown,
  judgement: Judgement,
  session: string | null,
): Promise<CheckedDestination> {
  const subscription = readSubscription(given, judgement)
  if (!subscription) return { ok: false, why: 'invalid' }
  const { hostname } = new URL(subscription.endpoint)
  try {
    await judgement.guard.resolve(hostname)
  } catch (error) {
    if (!(error instanceof EgressRefused)) throw error
    return { ok: false, why: error.why === 'unknown-host' ? 'unreachable' : 'forbidden' }
  }
  const destination = JSON.stringify({ ...subscription, ...(session !== null && { session }) })
  return { ok: true, destination, shown: hostname }
}
