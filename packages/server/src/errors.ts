import type { ErrorCode } from '@siarin/contracts/error-codes'

/** The caller can act on it: it has a code, and its message is shown to the person as it is. */
export class DomainError extends Error {
  readonly code: ErrorCode
  readonly retryAfterSeconds: number | undefined
  /** Which of its reasons, where the page has to tell them apart. */
  readonly reasonCode: string | undefined

  constructor(
    code: ErrorCode,
    message: string,
    options: { retryAfterSeconds?: number; reasonCode?: string; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause })
    this.name = 'DomainError'
    this.code = code
    this.retryAfterSeconds = options.retryAfterSeconds
    this.reasonCode = options.reasonCode
  }
}

/** Something outside us did not answer; the caller may try again. Never shown to a person. */
export class OperationalError extends Error {
  constructor(message: string, options: { cause?: unknown } = {}) {
    super(message, options)
    this.name = 'OperationalError'
  }
}

/** The database did not answer, or cannot be reached. */
export class DatabaseAwayError extends OperationalError {
  readonly code: string | undefined

  constructor(cause: Error) {
    super(`the database does not answer (${cause.message})`, { cause })
    this.name = 'DatabaseAwayError'
    this.code = (cause as NodeJS.ErrnoException).code
  }
}

/** The store of the videos does not answer, or says that it cannot now. */
export class StoreAwayError extends OperationalError {
  constructor(cause: unknown) {
    super(`the store does not answer (${cause instanceof Error ? cause.name : 'no reason'})`, { cause })
    this.name = 'StoreAwayError'
  }
}

/** PostgreSQL gave up itself: a statement that took too long, a lock that did not come free, a server that ends or begins. */
const DATABASE_BUSY_CODES = new Set(['57014', '55P03', '57P01', '57P02', '57P03'])

/** Another program writes to the file of SQLite. */
export const isLocked = (error: unknown): boolean =>
  error instanceof Error && ((error as { code?: string }).code ?? '').startsWith('SQLITE_BUSY')

export const isDatabaseAway = (error: unknown): boolean =>
  error instanceof DatabaseAwayError ||
  isLocked(error) ||
  (error instanceof Error && DATABASE_BUSY_CODES.has((error as NodeJS.ErrnoException).code ?? ''))

/** As the system, SQLite (the second: it has no room for the index of its log) and PostgreSQL say it. */
const DISK_FULL_CODES = new Set(['ENOSPC', 'EDQUOT', 'SQLITE_FULL', 'SQLITE_IOERR_SHMSIZE', '53100'])

/** We say it before the system does: what is left is kept for something else. */
export class DiskFullError extends OperationalError {
  readonly code = 'ENOSPC'
}

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
