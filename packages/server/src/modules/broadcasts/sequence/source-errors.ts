/** The video that should be sent cannot be found. */
export class SourceMissingError extends Error {}

/** An online source sends nothing that could be relayed now. */
export class SourceAwayError extends Error {}

/** It would have to be re-encoded, and no more of that can be borne on this machine now. */
export class EncodersFullError extends Error {}
