import type { ErrorAnswer } from '@siarin/contracts/answers'
import type { ErrorCode } from '@siarin/contracts/error-codes'
import { GENERAL_TEXTS } from '@siarin/contracts/texts'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod'
import { DomainError, isDatabaseAway, isDiskFull, StoreAwayError } from '../errors.ts'

/** A pause of the database, or of the store, is seldom over at once. */
const BACK_AFTER_SECONDS = 5

export const STATUS: Record<ErrorCode, number> = {
  invalid_input: 400,
  not_authenticated: 401,
  session_ended: 401,
  wrong_credentials: 401,
  api_key_required: 401,
  api_key_wrong: 401,
  password_needed: 403,
  password_too_common: 400,
  second_factor_needed: 403,
  second_factor_wrong: 401,
  second_factor_state: 409,
  ticket_ended: 410,
  link_ended: 410,
  username_taken: 409,
  email_taken: 409,
  rate_limited: 429,
  access_stopped: 403,
  plan_limit: 403,
  not_found: 404,
  video_unusable: 422,
  video_on_air: 409,
  video_in_playlist: 409,
  video_in_recording: 409,
  recording_in_progress: 409,
  playlist_on_air: 409,
  playlist_changed: 409,
  playlist_limit_reached: 409,
  video_not_ready: 409,
  video_not_failed: 409,
  source_invalid: 400,
  source_forbidden: 400,
  source_not_live: 409,
  source_unreachable: 502,
  source_exists: 409,
  source_limit_reached: 409,
  swap_impossible: 409,
  account_unknown: 422,
  platform_refused: 422,
  platform_unreachable: 502,
  target_invalid: 400,
  target_forbidden: 400,
  target_in_use: 409,
  target_exists: 409,
  target_changed: 409,
  target_limit_reached: 409,
  target_test_running: 409,
  webhook_invalid: 400,
  webhook_forbidden: 400,
  webhook_not_active: 409,
  webhook_test_running: 409,
  stream_not_found: 404,
  server_full: 503,
  storage_full: 507,
  upload_limit_reached: 429,
  upload_locked: 423,
  account_exists: 409,
  account_in_use: 409,
  account_limit_reached: 409,
  schedule_invalid: 400,
  schedule_limit_reached: 409,
  schedule_changed: 409,
  channel_limit_reached: 409,
  unsupported_media_type: 415,
  preview_ended: 410,
  payload_too_large: 413,
  range_not_satisfiable: 416,
  precondition_failed: 412,
  request_timeout: 408,
  server_busy: 503,
  internal: 500,
}

/** The screens of /auth speak English, the others Indonesian. */
export const textsFor = (url: string): typeof GENERAL_TEXTS.id | typeof GENERAL_TEXTS.en =>
  url.startsWith('/auth/') ? GENERAL_TEXTS.en : GENERAL_TEXTS.id

/** What the validator says by itself, in English, of a field that has no sentence for this fault. */
const VALIDATOR_WORDS = /^(Invalid |Too (big|small): |Unrecognized key)/

function toDomainError(error: FastifyError, url: string): DomainError | null {
  if (error instanceof DomainError) return error
  const texts = textsFor(url)
  if (isDiskFull(error)) return new DomainError('storage_full', texts.diskFull, { reasonCode: 'disk-full' })
  if (isDatabaseAway(error) || error instanceof StoreAwayError) {
    return new DomainError('server_busy', texts.serverBusy, { retryAfterSeconds: BACK_AFTER_SECONDS })
  }
  if (hasZodFastifySchemaValidationErrors(error)) {
    const first = error.validation[0]
    // Our schemas give every field a sentence; without a field the whole body is of the wrong kind.
    const said = first && first.instancePath.length > 1 ? first.message : undefined
    return new DomainError('invalid_input', said && !VALIDATOR_WORDS.test(said) ? said : texts.badRequest)
  }
  switch (error.statusCode) {
    case 413:
      return new DomainError('payload_too_large', texts.payloadTooLarge)
    case 412:
      return new DomainError('precondition_failed', texts.preconditionFailed)
    case 416:
      return new DomainError('range_not_satisfiable', texts.rangeNotSatisfiable)
    case 415:
      return new DomainError('unsupported_media_type', texts.unsupportedMediaType)
    case 403:
    case 404:
      return new DomainError('not_found', texts.notFound)
    default:
      // Whatever else somebody refuses is the caller's mistake; only what nobody foresaw is ours.
      return isCallersMistake(error.statusCode) ? new DomainError('invalid_input', texts.badRequest) : null
  }
}

const isCallersMistake = (status = 500): boolean => status >= 400 && status < 500

export const errorBody = ({ message, code, reasonCode }: DomainError): ErrorAnswer => ({
  success: false,
  message,
  code,
  ...(reasonCode && { reasonCode }),
})

/** A route may have named the file that it was about to send: without this a refusal would be saved under that name. */
const HEADERS_OF_A_FILE = ['Content-Disposition', 'ETag', 'Last-Modified', 'Accept-Ranges']

/** `more`: what the caller needs beside it, such as the id of the request. */
export function sendError(reply: FastifyReply, error: DomainError, more: Record<string, string> = {}): FastifyReply {
  if (error.retryAfterSeconds !== undefined) reply.header('Retry-After', String(error.retryAfterSeconds))
  for (const name of HEADERS_OF_A_FILE) reply.removeHeader(name)
  const body: ErrorAnswer = { ...errorBody(error), ...more }
  return reply.code(STATUS[error.code]).type('application/json').serializer(JSON.stringify).send(body)
}

export function answerErrors(app: FastifyInstance): void {
  app.setErrorHandler((error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
    const known = toDomainError(error, request.url)
    if (isDiskFull(error)) request.log.error({ err: error }, 'no room left on the disk')
    if (isDatabaseAway(error)) request.log.error({ err: error }, 'the database does not answer')
    if (error instanceof StoreAwayError) request.log.error({ err: error }, 'the store of the videos does not answer')
    if (known) return sendError(reply, known)
    request.log.error({ err: error }, 'request failed')
    return sendError(reply, new DomainError('internal', textsFor(request.url).internal), { requestId: request.id })
  })
}
