import { createECDH, createPublicKey, verify } from 'node:crypto'
import { Secret } from '@siarin/media/secret'
import { describe, expect, it } from 'vitest'
import { sealForBrowser, sealRecord, vapidAuthorization } from './push-sealing.ts'

const bytes = (text: string): Buffer => Buffer.from(text, 'base64url')

describe('[SEC-14] what is sealed for a browser', () => {
  it('is a record as in RFC 8188, section 3.1', () => {
    const sealed = sealRecord('I am the walrus', {
      key: bytes('yqdlZ-tYemfogSmv7Ws5PQ'),
      salt: bytes('I1BsxtFttlv3u_Oo94xnmw'),
      keyId: Buffer.alloc(0),
    })
    expect(sealed.toString('base64url')).toBe('I1BsxtFttlv3u_Oo94xnmwAAEAAA-NAVub2qFgBEuQKRapoZu-IxkIva3MEB1PD-ly8Thjg')
  })

  it('is the push of RFC 8291, appendix A', () => {
    const sender = createECDH('prime256v1')
    sender.setPrivateKey(bytes('yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw'))
    const sealed = sealForBrowser(
      'When I grow up, I want to be a watermelon',
      {
        p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
        auth: 'BTBZMqHH6r4Tts7J_aSIgg',
      },
      { salt: bytes('DGv6ra1nlYgDCS1FRnbzlw'), sender },
    )
    expect(sealed.toString('base64url')).toBe(
      'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
    )
  })

  it('has another salt and another key each time', () => {
    const browser = createECDH('prime256v1')
    const keys = { p256dh: browser.generateKeys('base64url'), auth: 'BTBZMqHH6r4Tts7J_aSIgg' }
    const heads = [1, 2].map(() => sealForBrowser('sama', keys).subarray(0, 86).toString('hex'))
    expect(heads[0]?.slice(0, 32)).not.toBe(heads[1]?.slice(0, 32))
    expect(heads[0]?.slice(42)).not.toBe(heads[1]?.slice(42))
  })
})

describe('[SEC-14] the signature of a push', () => {
  it('is that of the key which an older version stored, for one service, and ends within a day', () => {
    // As web-push, which older versions used, made and kept them; the private one begins with a zero.
    const keys = {
      publicKey: 'BHnjiw27mSK7aODRAY8vGbzI7qykuqiE1AOTIertrf3ZDs9j6Y88JsjJotX1lc79lHamI6A0Zo5xrnBE-PfOLSE',
      privateKey: new Secret('ALNUU0BfvLK3-79J_NlSwvyNm1tdKfhDNiuB7jJQpqg'),
    }
    const now = Date.parse('2026-01-01T00:00:00Z')
    const header = vapidAuthorization(keys, {
      endpoint: 'https://push.example/send/abc?d=e',
      contact: 'mailto:operator@siarin.example',
      now,
    })
    const [, head = '', claims = '', signature = '', key] =
      /^vapid t=([\w-]+)\.([\w-]+)\.([\w-]+), k=([\w-]+)$/.exec(header) ?? []
    expect(key).toBe(keys.publicKey)
    expect(JSON.parse(bytes(head).toString())).toEqual({ typ: 'JWT', alg: 'ES256' })
    expect(JSON.parse(bytes(claims).toString())).toEqual({
      aud: 'https://push.example',
      exp: now / 1000 + 12 * 3600,
      sub: 'mailto:operator@siarin.example',
    })
    expect(bytes(signature)).toHaveLength(64)
    const point = bytes(keys.publicKey)
    const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((half) => half.toString('base64url'))
    const publicKey = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x: x ?? '', y: y ?? '' }, format: 'jwk' })
    const signed = { key: publicKey, dsaEncoding: 'ieee-p1363' } as const
    expect(verify('sha256', Buffer.from(`${head}.${claims}`), signed, bytes(signature))).toBe(true)
  })
})
