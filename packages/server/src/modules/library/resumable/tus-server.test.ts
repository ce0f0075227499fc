import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { GENERAL_TEXTS, VIDEO_TEXTS } from '@siarin/contracts/texts'
import { describe, expect, it, vi } from 'vitest'
import { DomainError } from '../../../errors.ts'
import { endForSure, toRefusal } from './tus-server.ts'

const refuse = (error: Parameters<typeof toRefusal>[0]) => {
  const onUnknown = vi.fn()
  const answer = toRefusal(error, onUnknown)
  return { status: answer?.status_code, body: answer && JSON.parse(answer.body), told: onUnknown.mock.calls.length }
}

describe('an error of a resumable upload', () => {
  it('of tus is left as it is', () => {
    expect(refuse({ status_code: 410, body: 'gone\n' })).toEqual({ status: undefined, body: undefined, told: 0 })
    const thrown = Object.assign(new Error('no'), { status_code: 400, body: 'no' })
    expect(refuse(thrown)).toEqual({ status: undefined, body: undefined, told: 0 })
  })

  it('of joined uploads is the sender’s, for nobody offers them', () => {
    expect(refuse({ status_code: 501, body: 'no\n' })).toMatchObject({
      status: 400,
      body: { success: false, code: 'invalid_input', message: GENERAL_TEXTS.id.badRequest },
      told: 0,
    })
  })

  it('of ours is answered as every call answers it', () => {
    expect(refuse(new DomainError('not_found', VIDEO_TEXTS.notFound))).toMatchObject({
      status: 404,
      body: { success: false, code: 'not_found', message: VIDEO_TEXTS.notFound },
      told: 0,
    })
  })

  it('of a full disk says so', () => {
    const full = Object.assign(new Error('no space'), { code: 'ENOSPC' })
    expect(refuse(full)).toMatchObject({ body: { code: 'storage_full' }, told: 0 })
  })

  it('that nobody foresaw says nothing inner, and is told', () => {
    const { status, body, told } = refuse(new Error('a path'))
    expect(status).toBe(500)
    expect(body).toMatchObject({ code: 'internal', message: GENERAL_TEXTS.id.internal })
    expect(JSON.stringify(body)).not.toContain('a path')
    expect(told).toBe(1)
  })
})

it.each([
  ['before the answer ends', true],
  ['while it is being made', false],
])('[SAFE-07] an answer to a caller who has gone %s is over', async (_, isClosedFirst) => {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const caller = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => {})
  caller.write('HEAD / HTTP/1.1\r\nhost: x\r\n\r\n')
  const [, response] = (await once(server, 'request')) as [unknown, ServerResponse]
  endForSure(response)
  const closed = once(response, 'close')
  caller.destroy()
  if (isClosedFirst) await closed
  await new Promise<void>((resolve) => response.writeHead(204).end(resolve))
  server.close()
})
