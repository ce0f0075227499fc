import { GENERAL_TEXTS } from '@siarin/contracts/texts'
import type { FastifyReply } from 'fastify'
import { DomainError } from '../errors.ts'

/** Says that the caller has closed the connection before the answer was sent: nobody waits for the work any more. */
export function goneSignal({ raw }: FastifyReply): AbortSignal {
  const abort = new AbortController()
  // An error that the caller can act on, so that nobody is told of a fault of ours. Nobody reads it either.
  const leave = (): void => {
    if (!raw.writableFinished) abort.abort(new DomainError('request_timeout', GENERAL_TEXTS.id.serverBusy))
  }
  if (raw.destroyed) leave()
  else raw.once('close', leave)
  return abort.signal
}
