import type { Secret } from '@siarin/media/secret'
import type { Clock } from '../../platform/clock.ts'
import { type Egress, EgressRefused, PostFailed } from '../../platform/egress/egress.ts'
import type { Sealer } from '../../platform/secrets/seal.ts'
import type { DeliveryRow } from './delivery-queue.repo.ts'
import type { EndpointRow } from './endpoints.repo.ts'
import { codeOfStatus, readRetryAfter, type TryResult } from './judge-try.ts'
import { signedHeaders } from './sign.ts'

interface SendDeliveryDeps {
  readonly egress: Pick<Egress, 'post' | 'parse'>
  readonly sealer: Pick<Sealer, 'open'>
  readonly clock: Clock
  /** What a try may take. */
  readonly tryMs: number
}

export type SendDelivery = ReturnType<typeof createSendDelivery>

const READ_BYTES = 4096
const KEPT_CHARACTERS = 2048

/** Tries a delivery once. It fails only where `signal` has ended it. */
export function createSendDelivery({ egress, sealer, clock, tryMs }: SendDeliveryDeps) {
  return async (
    { id, body }: Pick<DeliveryRow, 'id' | 'body'>,
    endpoint: EndpointRow,
    signal: AbortSignal,
  ): Promise<TryResult> => {
    const begunAt = clock.now()
    const begun = performance.now()
    const elapsed = (): number => Math.round(performance.now() - begun)
    try {
      const url = egress.parse(sealer.open(endpoint.url_sealed).reveal())
      const headers = signedHeaders({ id, atMs: begunAt, body }, secretsOf(endpoint, sealer, begunAt))
      const answer = await egress.post(url, { headers, body, timeoutMs: tryMs, mostBytes: READ_BYTES, signal })
      const { status } = answer
      return {
        status,
        code: codeOfStatus(status),
        retryAfterMs: readRetryAfter(status, answer.headers['retry-after'], clock.now()),
        // A database refuses NUL.
        answer: answer.text.replaceAll('\0', '').slice(0, KEPT_CHARACTERS).toWellFormed(),
        durationMs: elapsed(),
      }
    } catch (error) {
      if (signal.aborted) throw error
      return { status: null, code: codeOfFailure(error), retryAfterMs: null, answer: null, durationMs: elapsed() }
    }
  }
}

function secretsOf(endpoint: EndpointRow, sealer: Pick<Sealer, 'open'>, now: number): Secret[] {
  const { secret_sealed, old_secret_sealed, old_secret_until } = endpoint
  const isOldValid = old_secret_sealed !== null && now < (old_secret_until ?? 0)
  return [secret_sealed, ...(isOldValid ? [old_secret_sealed] : [])].map((sealed) => sealer.open(sealed))
}

function codeOfFailure(error: unknown): string {
  if (error instanceof PostFailed) return error.why
  if (error instanceof EgressRefused) return error.why === 'unknown-host' ? 'name-not-found' : 'address-forbidden'
  throw error
}
