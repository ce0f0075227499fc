import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { DomainError } from '../errors.ts'
import { judgeRead, type ReadConditions, type ReadVerdict } from '../platform/storage/judge-read.ts'
import type { StoredFile } from '../platform/storage/storage.ts'
import { textsFor } from './error-answers.ts'

/** Sends a stored file, or the part that was asked for: 200, 206, 304, 412 or 416 as RFC 9110 has it; 404 where it is gone. */
export async function sendStored(
  request: FastifyRequest,
  reply: FastifyReply,
  file: Pick<StoredFile, 'head' | 'open'>,
): Promise<FastifyReply> {
  const opened =
    request.method === 'HEAD' ? await headOnly(file, conditionsOf(request)) : await file.open(conditionsOf(request))
  if (!opened) {
    reply.callNotFound()
    return reply
  }
  const { facts, verdict, body } = opened
  // Tells the reader where the file ends.
  if (verdict.kind === 'unsatisfiable') reply.header('Content-Range', `bytes */${facts.bytes}`)
  assertSendable(request, verdict)
  reply.headers({
    'Accept-Ranges': 'bytes',
    'Last-Modified': facts.modifiedAt.toUTCString(),
    ETag: facts.etag,
  })
  if (verdict.kind === 'not-modified') return reply.code(304).send(nothing())
  if (verdict.kind === 'part') {
    const { start, end } = verdict.range
    reply
      .code(206)
      .headers({ 'Content-Range': `bytes ${start}-${end}/${facts.bytes}`, 'Content-Length': end - start + 1 })
  } else reply.header('Content-Length', facts.bytes)
  return reply.send(body ?? nothing())
}

function conditionsOf({ headers }: FastifyRequest): ReadConditions {
  const conditions = {
    range: headers.range,
    ifMatch: headers['if-match'],
    ifUnmodifiedSince: headers['if-unmodified-since'],
    ifRange: headers['if-range'] as string | undefined,
  }
  // Somebody who reloads the page wants the bytes, whatever the browser has kept.
  if (headers['cache-control']?.includes('no-cache')) return conditions
  return { ...conditions, ifNoneMatch: headers['if-none-match'], ifModifiedSince: headers['if-modified-since'] }
}

/** What a HEAD is answered with: the same, and no byte is read. */
async function headOnly({ head }: Pick<StoredFile, 'head'>, conditions: ReadConditions) {
  const facts = await head()
  return facts && { facts, verdict: judgeRead(facts, conditions), body: null }
}

/** A stream: the framework takes the length of any other body for that of the file. */
const nothing = (): Readable => Readable.from([])

function assertSendable({ url }: FastifyRequest, { kind }: ReadVerdict): void {
  const texts = textsFor(url)
  if (kind === 'precondition-failed') throw new DomainError('precondition_failed', texts.preconditionFailed)
  if (kind === 'unsatisfiable') throw new DomainError('range_not_satisfiable', texts.rangeNotSatisfiable)
}
