import Fastify from 'fastify'
import { describe, expect, it } from 'vitest'
import { sendSecurityHeaders } from './security-headers.ts'

async function headersOf(publicUrl: string | null) {
  const app = Fastify()
  sendSecurityHeaders(app, publicUrl, '')
  app.get('/', async () => '')
  return (await app.inject('/')).headers
}

describe('the headers of every answer', () => {
  it('ask for https for good where the public address has it, for this name alone', async () => {
    const headers = await headersOf('https://siarin.example')
    expect(headers['strict-transport-security']).toBe('max-age=31536000')
    expect(headers['cross-origin-opener-policy']).toBe('same-origin')
  })

  it.each([null, 'http://203.0.113.7:3000'])('ask for nothing of it at %s', async (publicUrl) => {
    const headers = await headersOf(publicUrl)
    expect(headers).not.toHaveProperty('strict-transport-security')
    expect(headers).not.toHaveProperty('cross-origin-opener-policy')
  })

  it('let nobody frame it, run what is not ours, or learn where somebody came from', async () => {
    const headers = await headersOf(null)
    expect(headers['content-security-policy']).toContain("script-src 'self';")
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
    expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' })
  })

  it('are all of those that helmet knows', async () => {
    expect(Object.keys(await headersOf('https://siarin.example')).sort()).toEqual([
      'connection',
      'content-length',
      'content-security-policy',
      'content-type',
      'cross-origin-opener-policy',
      'cross-origin-resource-policy',
      'date',
      'origin-agent-cluster',
      'referrer-policy',
      'strict-transport-security',
      'x-content-type-options',
      'x-dns-prefetch-control',
      'x-download-options',
      'x-frame-options',
      'x-permitted-cross-domain-policies',
      'x-xss-protection',
    ])
  })
})
