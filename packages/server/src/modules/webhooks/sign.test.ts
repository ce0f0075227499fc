import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { newSigningSecret, shownHeaders, signedHeaders } from './sign.ts'

describe('the signature of a delivery', () => {
  const told = {
    id: 'msg_1',
    atMs: Date.now(),
    body: JSON.stringify({ type: 'stream.live', data: { title: 'Kopi ☕' } }),
  }

  it('[HOOK-01] is one that the library of Standard Webhooks accepts', () => {
    const secret = newSigningSecret()
    expect(new Webhook(secret.reveal()).verify(told.body, signedHeaders(told, [secret]))).toMatchObject({
      type: 'stream.live',
    })
  })

  it('[HOOK-01] fits no other body, id or secret', () => {
    const secret = newSigningSecret()
    const headers = signedHeaders(told, [secret])
    const verify =
      (body: string, changed: Record<string, string> = {}, by = secret) =>
      () =>
        new Webhook(by.reveal()).verify(body, { ...headers, ...changed })
    expect(verify(`${told.body} `)).toThrow('No matching signature')
    expect(verify(told.body, { 'webhook-id': 'msg_2' })).toThrow('No matching signature')
    expect(verify(told.body, {}, newSigningSecret())).toThrow('No matching signature')
  })

  it('[HOOK-01] is made with both secrets while one replaces the other', () => {
    const secrets = [newSigningSecret(), newSigningSecret()]
    const headers = signedHeaders(told, secrets)
    expect(headers['webhook-signature']?.split(' ')).toHaveLength(2)
    for (const secret of secrets) expect(() => new Webhook(secret.reveal()).verify(told.body, headers)).not.toThrow()
  })

  it('[HOOK-01] is not among the headers that are shown', () => {
    expect(Object.keys(shownHeaders(told))).not.toContain('webhook-signature')
  })
})
