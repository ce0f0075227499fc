import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { redact, redactWebAddresses } from './redact.ts'
import { Secret } from './secret.ts'

const target = new Secret('rtmps://live-api-s.facebook.com:443/rtmp/FB-90817-0-Ab_cd?s_bl=1&s_psm=1&a=AbzQ91kLm')

describe('redacting a known target', () => {
  it('keeps the host and the app of its URL, and the error behind it', () => {
    expect(redact(`${target.reveal()}: Input/output error`, [target])).toBe(
      'rtmps://live-api-s.facebook.com:443/rtmp/[secret]: Input/output error',
    )
  })

  it.each([
    ['the key with its query', 'FB-90817-0-Ab_cd?s_bl=1&s_psm=1&a=AbzQ91kLm'],
    ['the key without its query', 'FB-90817-0-Ab_cd'],
    ['the query', 's_bl=1&s_psm=1&a=AbzQ91kLm'],
    ['a value of the query', 'AbzQ91kLm'],
    ['the key, escaped', encodeURIComponent('FB-90817-0-Ab_cd?s_bl=1&s_psm=1&a=AbzQ91kLm')],
    ['the whole URL, escaped', encodeURIComponent(target.reveal())],
    [
      'the whole URL, escaped in lower case',
      encodeURIComponent(target.reveal()).replace(/%../g, (hex) => hex.toLowerCase()),
    ],
  ])('masks %s on its own', (_name, part) => {
    expect(redact(`publishing <${part}> now`, [target])).toBe('publishing <[secret]> now')
  })

  it('masks it also where it stands behind an address instead of the name', () => {
    const url = 'rtmp://8.8.8.8:1935/live/FB-90817?a=AbzQ91kLm'
    expect(redact(`${url}: Input/output error`, [new Secret('rtmp://a.example/live/FB-90817?a=AbzQ91kLm')])).toBe(
      'rtmp://8.8.8.8:1935/live/[secret]: Input/output error',
    )
  })

  it('leaves parts alone that are too short to mean anything', () => {
    expect(redact('s_bl=1, frame 1 of 1', [target])).toBe('s_bl=1, frame 1 of 1')
    expect(redact('abc at rtmp://h/app/abc', [new Secret('rtmp://h/app/abc')])).toBe('abc at rtmp://h/app/[secret]')
  })

  it('masks the decoded form of an escaped key', () => {
    expect(redact('got "a b/c d+e"', [new Secret('rtmp://h/app/a%20b%2Fc%20d+e')])).toBe('got "[secret]"')
  })

  it('masks a key of several segments, whole and the last of it', () => {
    const secret = new Secret('rtmp://h/app/instance7/key-0001')
    expect(redact('instance7/key-0001 and key-0001', [secret])).toBe('[secret] and [secret]')
  })

  it('masks a path of a single part, which may be the key', () => {
    expect(redact('rtmp://h/key-0001 key-0001', [new Secret('rtmp://h/key-0001')])).toBe('rtmp://h/[secret] [secret]')
  })

  it('leaves no half of a secret where two of them overlap', () => {
    expect(redact('x-abcd1234efgh-x', [new Secret('abcd1234'), new Secret('1234efgh')])).toBe('x-[secret]-x')
  })

  it('survives a secret that is no valid encoding, and an empty one', () => {
    expect(redact('key 100%zz\ud800 here', [new Secret('100%zz\ud800'), new Secret('')])).toBe('key [secret] here')
  })
})

describe('redacting what nobody told us about', () => {
  it.each([
    ["Output #0, flv, to 'rtmp://h:1935/live/k3y?x=1':", "Output #0, flv, to 'rtmp://h:1935/live/[secret]':"],
    ['{"url":"rtmps://h/app/k3y","next":1}', '{"url":"rtmps://h/app/[secret]","next":1}'],
    ['RTMPE://h/app/a/b/c.', 'RTMPE://h/app/[secret].'],
    ['rtmp://h/k3y rtmp://h/app/k4y', 'rtmp://h/[secret] rtmp://h/app/[secret]'],
    ['rtmp://b.rtmp.youtube.com/live2?backup=1/k3y', 'rtmp://b.rtmp.youtube.com/[secret]'],
    ['rtmp://user:pass@h/app/k3y', 'rtmp://[secret]@h/app/[secret]'],
    ['GET /x?apiKey=k3y&page=2', 'GET /x?apiKey=[secret]&page=2'],
    ['api_key=k3y token=k4y access_token=k5y', 'api_key=[secret] token=[secret] access_token=[secret]'],
  ])('%s', (text, expected) => {
    expect(redact(text, [])).toBe(expected)
    expect(redact(expected, [])).toBe(expected)
  })

  it.each([
    '[tcp @ 0x55] Connection to tcp://127.0.0.1:41999?tcp_nodelay=0 failed: Connection refused',
    'rtmp://127.0.0.1:1935',
    'the rtmp module, https://example.com/a/b?page=2 and a stray rtmp:// too',
  ])('leaves harmless text as it is: %s', (text) => {
    expect(redact(text, [])).toBe(text)
  })
})

describe('redacting the addresses of an online source', () => {
  it.each([
    [
      'http://a.example:80/live/x.m3u8?sign=k3y: Server returned 404',
      'http://a.example:80/[secret]: Server returned 404',
    ],
    [
      "Error when loading first segment 'http://a.example/k3y.ts'",
      "Error when loading first segment 'http://a.example/[secret]'",
    ],
    ['http://a.example.tls.invalid:443?k3y', 'http://a.example.tls.invalid:443/[secret]'],
    [
      'crypto+https://a.example/k3y and http://b.example/k4y',
      'crypto+https://a.example/[secret] and http://b.example/[secret]',
    ],
    ['http://a.example/ and http://a.example: gone', 'http://a.example/ and http://a.example: gone'],
  ])('%s', (text, expected) => {
    expect(redactWebAddresses(text)).toBe(expected)
  })
})

describe('for any key', () => {
  const keyChars = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.~%+:?&=/!$,;@'
  const key = fc
    .string({ unit: fc.constantFrom(...keyChars), minLength: 4, maxLength: 60 })
    .filter((text) => !/^[/?]|\/$/.test(text) && !'[secret]'.includes(text))
  const prose = fc.string({ unit: fc.constantFrom(...'abc019 /:?&=-.\'"[]\n', 'rtmp://', 'token='), maxLength: 40 })

  it('the text never shows it, wherever it stands', () => {
    fc.assert(
      fc.property(key, prose, prose, prose, (value, before, between, after) => {
        const url = `rtmp://ingest.example/app/${value}`
        const text = `${before}${value}${between}${url}: I/O ${encodeURIComponent(value)}${after}${encodeURI(url)}`
        const shown = redact(text, [new Secret(url)])
        expect(shown).not.toContain(value)
        expect(shown).not.toContain(encodeURIComponent(value))
      }),
      { numRuns: 2000 },
    )
  })

  it('the URL shows nothing behind the app, even if the secret is not known', () => {
    fc.assert(
      fc.property(key, prose, (value, before) => {
        const shown = redact(`${before} rtmp://ingest.example/app/${value} `, [])
        const end = value.replace(/[:;,.!')]+$/, '')
        fc.pre(end !== '')
        expect(shown).toContain(' rtmp://ingest.example/app/[secret]')
        expect(shown.slice(before.length)).not.toContain(`/app/${end}`)
      }),
    )
  })
})

/** Time of this thread alone: a busy machine takes none of it. */
function cpuMicroseconds(work: () => void): number {
  const before = process.threadCpuUsage()
  work()
  const { user, system } = process.threadCpuUsage(before)
  return user + system
}

it('takes a very long line in linear time', () => {
  const linesOf = (length: number) => [
    'rtmp://'.repeat(length / 7),
    `rtmp://h/app/${'k'.repeat(length)}`,
    `rtmp://h/app/${':'.repeat(length)}k`,
    'a'.repeat(length),
    'b'.repeat(length),
    'token='.repeat(length / 6),
  ]
  const secrets = [target, new Secret('a'.repeat(500)), new Secret('rtmp://h/app/aaaa')]
  const redactAll = (lines: readonly string[]) => {
    for (const line of lines) redact(line, secrets)
  }
  const short = linesOf(2_000)
  redactAll(short)
  const inParts = cpuMicroseconds(() => {
    for (let part = 0; part < 40; part++) redactAll(short)
  })
  const atOnce = cpuMicroseconds(() => redactAll(linesOf(80_000)))
  // As much text either way, so as much work: were it quadratic, it would be forty times as much.
  expect(atOnce / inParts).toBeLessThan(5)
})
