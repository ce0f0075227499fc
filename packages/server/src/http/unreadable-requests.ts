import type { Socket } from 'node:net'
import type { ErrorCode } from '@siarin/contracts/error-codes'
import { GENERAL_TEXTS } from '@siarin/contracts/texts'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { DomainError } from '../errors.ts'
import { STATUS, sendError, textsFor } from './error-answers.ts'
import { beginOf } from './feed-in-turns.ts'
import { rawAnswer } from './raw-answer.ts'

const TEXTS = GENERAL_TEXTS.id

/** What Node's parser says of a request that is none, by its own code; all else is one that cannot be read. */
const PARSER_FAULTS: Record<string, { status: number; code: ErrorCode; message: string }> = {
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, code: 'request_timeout', message: TEXTS.tooSlow },
  HPE_HEADER_OVERFLOW: { status: 431, code: 'invalid_input', message: TEXTS.headersTooLarge },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: { status: 413, code: 'payload_too_large', message: TEXTS.payloadTooLarge },
}
const UNREADABLE = { status: STATUS.invalid_input, code: 'invalid_input', message: TEXTS.badRequest } as const

interface ParserFault {
  readonly code?: string
}

/** Node keeps at the socket what is being answered through it, and asks there itself before it answers such a fault. */
type AnsweringSocket = Socket & { readonly _httpMessage?: { readonly headersSent: boolean } | null }

const HEAD = 'HEAD '

/** For what never becomes a request: in the shape of every other answer, and in our words. */
export function answerParserFault(error: ParserFault, socket: AnsweringSocket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  const { status, code, message } = PARSER_FAULTS[error.code ?? ''] ?? UNREADABLE
  // Half of an answer to an earlier request and then ours would be neither.
  const isAnswering = socket._httpMessage?.headersSent === true
  const headOnly = beginOf(socket).startsWith(HEAD)
  if (socket.writable && !isAnswering) socket.write(rawAnswer(status, { code, message }, { headOnly }))
  socket.destroySoon()
}

/** For an address that the router cannot read, which no error handler sees. */
export function answerRouterFault(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  const texts = textsFor(request.url)
  const message = error.code === 'FST_ERR_MAX_PARAM_LENGTH' ? texts.addressTooLong : texts.badRequest
  sendError(reply.header('X-Request-Id', request.id), new DomainError('invalid_input', message))
}
