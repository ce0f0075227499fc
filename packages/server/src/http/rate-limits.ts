import { hash } from 'node:crypto'
import { AUTH_TEXTS } from '@siarin/contracts/texts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { DomainError } from '../errors.ts'
import type { Counters } from '../platform/counters.ts'
import type { Awaitable } from '../platform/when-known.ts'
import { addressKey, networkKey } from './address-key.ts'

declare module 'fastify' {
  interface FastifyInstance {
    counters: Counters
  }
}

export interface Limit {
  readonly max: number
  readonly windowMs: number
}

const MINUTE_MS = 60_000
/** How many times as much an IPv6 network may as one line in it: those of a mobile operator have thousands of people. */
const NETWORK_SHARE = 10

/** Whole campuses and mobile networks share one address here, so the address limits are wide and the account limit is narrow. */
export const AUTH_LIMITS = {
  registerPerAddress: { max: 30, windowMs: 60 * MINUTE_MS },
  loginPerAddress: { max: 60, windowMs: 10 * MINUTE_MS },
  /** A browser that is known to the account does not wait for others at its address. */
  loginPerBrowser: { max: 60, windowMs: 10 * MINUTE_MS },
  /** For a user who has a session and is asked for the password again; logins themselves: guess-rules.ts. */
  loginPerAccount: { max: 10, windowMs: 10 * MINUTE_MS },
  ownAccount: { max: 50, windowMs: 10 * MINUTE_MS },
} satisfies Record<string, Limit>

/** What has us ask a platform or open an address costs somebody else something too. A player asks for a part every few seconds. */
export const PLATFORM_LIMITS = {
  addPerUser: { max: 120, windowMs: 10 * MINUTE_MS },
  beginPerUser: { max: 30, windowMs: 10 * MINUTE_MS },
  /** A few for each target of somebody who sets them all up in one go. */
  testPerUser: { max: 30, windowMs: 10 * MINUTE_MS },
  previewPerUser: { max: 200, windowMs: 10_000 },
} satisfies Record<string, Limit>

/** A player asks for a few parts at once when somebody moves in it, and then every few seconds; a page shows many pictures. */
export const RECORDING_LIMITS = {
  lists: { max: 120, windowMs: 10_000 },
  segments: { max: 300, windowMs: 10_000 },
  pictures: { max: 300, windowMs: 10_000 },
  files: { max: 60, windowMs: 10_000 },
} satisfies Record<string, Limit>

/** Calls with a session are the page's, which asks a few times a minute; a script may send one along. */
const SESSION_LIMIT: Limit = { max: 600, windowMs: MINUTE_MS }
/** How many times as much all sessions of an account may. */
const SESSIONS_SHARE = 5

/** One reader is counted once in this time. */
export const VIEW_LIMIT: Limit = { max: 1, windowMs: 60 * MINUTE_MS }

interface Allowance {
  readonly allowed: boolean
  readonly retryAfterSeconds: number
}

const ALLOWED: Allowance = { allowed: true, retryAfterSeconds: 0 }

type KeyOf = (request: FastifyRequest) => string

const nameOf = (name: string, key: string): string => `${name}:${hash('sha256', key, 'base64url')}`

/** Counts one more under this key, and says whether it is one too many. */
async function ask(counters: Counters, key: string, { max, windowMs }: Limit): Promise<Allowance> {
  const { count, leftMs } = await counters.add(key, windowMs)
  return count <= max ? ALLOWED : { allowed: false, retryAfterSeconds: Math.max(1, Math.ceil(leftMs / 1000)) }
}

/** Counts the request and says whether it is one too many. `keyOf` names whose limit it is; the key is hashed, so that no address or e-mail stands in a store. */
export function createAllowance(
  { counters }: Pick<FastifyInstance, 'counters'>,
  name: string,
  limit: Limit,
  keyOf: KeyOf,
): (request: FastifyRequest) => Promise<Allowance> {
  return (request) => ask(counters, nameOf(name, keyOf(request)), limit)
}

/** As many calls a minute as each caller's own plan allows. */
export function createApiRate(
  app: FastifyInstance,
  plans: {
    userOf: (request: FastifyRequest) => string
    limitOf: (userId: string) => Awaitable<number>
    refusal: (userId: string, retryAfterSeconds: number) => Promise<DomainError>
  },
): Limiter {
  return async (request) => {
    const userId = plans.userOf(request)
    const limit = { max: await plans.limitOf(userId), windowMs: MINUTE_MS }
    const { allowed, retryAfterSeconds } = await ask(app.counters, `api:${userId}`, limit)
    if (!allowed) throw await plans.refusal(userId, retryAfterSeconds)
  }
}

/** Each session for itself: one that was stolen, or a tab gone wild, does not lock the owner's others out. */
export function createSessionRate(
  app: Pick<FastifyInstance, 'counters'>,
  words: string,
): (session: { readonly userId: string; readonly sessionId: string }) => Promise<void> {
  const ofAccount = { ...SESSION_LIMIT, max: SESSION_LIMIT.max * SESSIONS_SHARE }
  async function count(key: string, limit: Limit): Promise<void> {
    const { allowed, retryAfterSeconds } = await ask(app.counters, key, limit)
    if (!allowed) throw new DomainError('rate_limited', words, { retryAfterSeconds })
  }
  return async ({ userId, sessionId }) => {
    await count(`session:${sessionId}`, SESSION_LIMIT)
    await count(`sessions:${userId}`, ofAccount)
  }
}

/** Counts the request and refuses it when it is one too many. */
export type Limiter = (request: FastifyRequest) => Promise<void>

export function createLimiter(
  app: FastifyInstance,
  name: string,
  limit: Limit,
  keyOf: KeyOf,
  words: (seconds: number) => string = AUTH_TEXTS.tooManyAttempts,
): Limiter & { readonly takeBack: Limiter } {
  const askOne = createAllowance(app, name, limit, keyOf)
  async function count(request: FastifyRequest): Promise<void> {
    const { allowed, retryAfterSeconds } = await askOne(request)
    if (allowed) return
    throw new DomainError('rate_limited', words(retryAfterSeconds), { retryAfterSeconds })
  }
  /** For a request that was counted, and turned out to be no try. */
  const takeBack = (request: FastifyRequest) => app.counters.takeBack(nameOf(name, keyOf(request)))
  return Object.assign(count, { takeBack })
}

/** By address, and for IPv6 more widely by network. */
export function createAddressLimiter(
  app: FastifyInstance,
  name: string,
  limit: Limit,
  words?: (seconds: number) => string,
): Limiter {
  const ofNetwork = { ...limit, max: limit.max * NETWORK_SHARE }
  const perAddress = createLimiter(app, name, limit, ({ ip }) => addressKey(ip), words)
  const perNetwork = createLimiter(app, `${name}-network`, ofNetwork, ({ ip }) => networkKey(ip) ?? ip, words)
  return async (request) => {
    await perAddress(request)
    if (networkKey(request.ip) !== null) await perNetwork(request)
  }
}
