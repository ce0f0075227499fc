import { createDecipheriv, createECDH, createPublicKey, type ECDH, hkdfSync, randomBytes, verify } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { serveOnLoopback } from './loopback-http.ts'

/** As `PushSubscription.toJSON()` of a browser gives it. */
export type BrowserSubscription = {
  endpoint: string
  expirationTime: null
  keys: { p256dh: string; auth: string }
}

export type ReceivedPush = {
  /** The number of the subscription. */
  to: string
  /** What the service worker of that browser would read. */
  payload: string
  headers: Record<string, string>
  /** The claims of a signature that was checked. */
  claims: { aud: string; exp: number; sub: string }
  bodyBytes: number
}

export type PushFault = { status: number; text?: string; headers?: Record<string, string> } | 'silent'

export type PushService = {
  url: string
  /** A browser subscribes, with the public key of the page's server. */
  subscribe(applicationServerKey: string): BrowserSubscription
  /** How pushes to this subscription are answered; null: as usual. */
  answer(subscription: BrowserSubscription, fault: PushFault | null): void
  /** Runs when a push has arrived and is not answered yet; null: nothing does. */
  beforeAnswer(handler: ((push: ReceivedPush) => Promise<void>) | null): void
  readonly pushes: ReceivedPush[]
  dispose(): Promise<void>
}

type Browser = { keys: ECDH; auth: Buffer; applicationServerKey: string }

/** A push service and the browsers behind it, on loopback: it refuses what a real one refuses, and decrypts what a browser would. */
export async function startPushService(): Promise<PushService> {
  const browsers = new Map<string, Browser>()
  const faults = new Map<string, PushFault>()
  const pushes: ReceivedPush[] = []
  let count = 0
  let onArrival: ((push: ReceivedPush) => Promise<void>) | null = null

  const server = await serveOnLoopback(async (request, response) => {
    const id = /^\/push\/(.+)$/.exec(request.url ?? '')?.[1] ?? ''
    const body = await buffer(request)
    const said = faults.get(id) ?? (await receive(id, request, body))
    if (said === 'silent') return
    response.writeHead(said.status, said.headers).end(said.text ?? '')
  })

  async function receive(id: string, request: IncomingMessage, body: Buffer): Promise<Exclude<PushFault, 'silent'>> {
    const browser = browsers.get(id)
    if (!browser) return { status: 410, text: 'push subscription has unsubscribed or expired.' }
    if (body.length > 4096) return { status: 413, text: 'payload too large' }
    const { ttl, 'content-encoding': encoding, authorization = '' } = request.headers
    if (!/^\d+$/.test(String(ttl))) return { status: 400, text: 'missing TTL' }
    if (encoding !== 'aes128gcm') return { status: 400, text: 'unknown encoding' }
    const claims = claimsOf(authorization, browser.applicationServerKey)
    if (!claims) return { status: 403, text: 'the key in the authorization header does not correspond to the sender' }
    if (claims.aud !== server.url || claims.exp * 1000 > Date.now() + 86_400_000)
      return { status: 401, text: 'bad claims' }
    const payload = decrypt(browser, body)
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
    const push = { to: id, payload, headers, claims, bodyBytes: body.length }
    pushes.push(push)
    await onArrival?.(push)
    return { status: 201 }
  }

  return {
    url: server.url,
    subscribe(applicationServerKey) {
      count += 1
      const id = `${count}-${randomBytes(24).toString('base64url')}`
      const keys = createECDH('prime256v1')
      keys.generateKeys()
      const auth = randomBytes(16)
      browsers.set(id, { keys, auth, applicationServerKey })
      return {
        endpoint: `${server.url}/push/${id}`,
        expirationTime: null,
        keys: { p256dh: keys.getPublicKey('base64url'), auth: auth.toString('base64url') },
      }
    },
    answer({ endpoint }, fault) {
      const id = endpoint.slice(`${server.url}/push/`.length)
      if (fault) faults.set(id, fault)
      else faults.delete(id)
    },
    beforeAnswer(handler) {
      onArrival = handler
    },
    pushes,
    dispose: server.close,
  }
}

/** RFC 8292. Null: the signature is not that of the key with which the browser subscribed. */
function claimsOf(authorization: string, applicationServerKey: string): ReceivedPush['claims'] | null {
  const [, token = '', key = ''] = /^vapid t=([^,]+), ?k=([\w-]+)$/.exec(authorization) ?? []
  const [head = '', claims = '', signature = ''] = token.split('.')
  if (key !== applicationServerKey) return null
  const point = Buffer.from(key, 'base64url')
  const jwk = {
    ...{ kty: 'EC', crv: 'P-256' },
    ...{ x: point.subarray(1, 33).toString('base64url'), y: point.subarray(33).toString('base64url') },
  }
  const isRight = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  )
  return isRight ? JSON.parse(Buffer.from(claims, 'base64url').toString('utf8')) : null
}

/** RFC 8291 and 8188, of one record. */
function decrypt({ keys, auth }: Browser, body: Buffer): string {
  const salt = body.subarray(0, 16)
  const keyLength = body[20] ?? 0
  const sender = body.subarray(21, 21 + keyLength)
  const sealed = body.subarray(21 + keyLength)
  const shared = keys.computeSecret(sender)
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), keys.getPublicKey(), sender])
  const input = Buffer.from(hkdfSync('sha256', shared, auth, info, 32))
  const key = Buffer.from(hkdfSync('sha256', input, salt, 'Content-Encoding: aes128gcm\0', 16))
  const nonce = Buffer.from(hkdfSync('sha256', input, salt, 'Content-Encoding: nonce\0', 12))
  const decipher = createDecipheriv('aes-128-gcm', key, nonce)
  decipher.setAuthTag(sealed.subarray(-16))
  const padded = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()])
  // The last record ends with a two and its padding.
  return padded.subarray(0, padded.lastIndexOf(2)).toString('utf8')
}
