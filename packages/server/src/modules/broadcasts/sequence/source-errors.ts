import type { PassedOverWhy } from '@siarin/contracts/stream-event-texts'

/** The video that should be sent cannot be played. */
export class SourceMissingError extends Error {
  readonly why: PassedOverWhy

  constructor(message?: string, { why = 'gone', ...options }: ErrorOptions & { why?: PassedOverWhy } = {}) {
    super(message, options)
    this.why = why
  }
}

/** No item of a playlist can be played. */
export class PlaylistUnplayableError extends Error {}

/** An online source sends nothing that could be relayed now. */
export class SourceAwayError extends Error {}

/** It would have to be re-encoded, and no more of that can be borne on this machine now. */
export class EncodersFullError extends Error {}
