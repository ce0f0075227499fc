import type { ErrorCode } from '@siarin/contracts/error-codes'

/** The caller can act on it: it has a code, and its message is shown to the person as it is. */
export class DomainError extends Error {
  readonly code: ErrorCode
  readonly retryAfterSeconds: number | undefined

  constructor(code: ErrorCode, message: string, options: { retryAfterSeconds?: number; cause?: unknown } = {}) {
    super(message, { cause: options.cause })
    this.name = 'DomainError'
    this.code = code
    this.retryAfterSeconds = options.retryAfterSeconds
  }
}

/** Something outside us did not answer; whoever called may try again. Never shown to a person. */
export class OperationalError extends Error {
  constructor(message: string, options: { cause?: unknown } = {}) {
    super(message, options)
    this.name = 'OperationalError'
  }
}

/** As the system, SQLite and PostgreSQL say it. */
const DISK_FULL_CODES = new Set(['ENOSPC', 'EDQUOT', 'SQLITE_FULL', '53100'])

/** Nobody's mistake and no fault of ours, but something that a person must hear and an operator can mend. */
export const isDiskFull = (error: unknown): boolean =>
  error instanceof Error && DISK_FULL_CODES.has((error as NodeJS.ErrnoException).code ?? '')

/** The program cannot start; each fault is one line for the operator. */
export class BootError extends Error {
  readonly faults: readonly string[]

  constructor(faults: readonly string[]) {
    super(faults.join('\n'))
    this.name = 'BootError'
    this.faults = faults
  }
}
