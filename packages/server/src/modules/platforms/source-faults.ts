import { ONLINE_TEXTS } from '@siarin/contracts/texts'
import { DomainError } from '../../errors.ts'
import { EgressRefused, type RefusalReason } from '../../platform/egress/egress.ts'
import { DownloadRefused } from '../../platform/egress/guarded-download.ts'

const REFUSALS: Record<RefusalReason, () => DomainError> = {
  invalid: () => new DomainError('source_invalid', ONLINE_TEXTS.urlInvalid),
  forbidden: () => new DomainError('source_forbidden', ONLINE_TEXTS.urlForbidden),
  'unknown-host': () => new DomainError('source_invalid', ONLINE_TEXTS.urlUnknownHost),
}

/** What a person is told of an address that could not be had. Whatever is no fault of the address stays as it is. */
export function sourceFault(error: unknown): unknown {
  if (error instanceof EgressRefused) return REFUSALS[error.why]()
  if (error instanceof DownloadRefused) {
    if (error.cause instanceof EgressRefused && error.cause.why === 'unknown-host') return REFUSALS['unknown-host']()
    if (error.why === 'forbidden') return REFUSALS.forbidden()
    const message = error.status === null ? ONLINE_TEXTS.urlUnreachable : ONLINE_TEXTS.urlAnswered(error.status)
    return new DomainError('source_unreachable', message)
  }
  // Its time was up, or the connection broke while the body came.
  if (error instanceof Error && (/^(Abort|Timeout)Error$/.test(error.name) || 'code' in error)) {
    return error instanceof DomainError ? error : new DomainError('source_unreachable', ONLINE_TEXTS.urlUnreachable)
  }
  return error
}
