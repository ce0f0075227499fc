import { expect, it } from 'vitest'
import { RemovePushBody } from './alerts.ts'
import { parseAddress } from './parse-address.ts'

const BASE = new URL('http://cdn.example/live/index.m3u8')
/** The costliest of names: every second sign is another one that has to be put into ASCII. */
const costly = (length: number): string =>
  Array.from({ length }, (_, at) => (at % 2 ? 'a' : String.fromCharCode(0x4e_00 + at / 2))).join('')

it.each([
  ['a name', (name: string) => `http://${name}/a`],
  ['a name behind a line end in the scheme', (name: string) => `\n ht\ntps:${name}`],
  ['a name behind backslashes', (name: string) => `https:\\\\${name}`],
  ['a name behind many slashes', (name: string) => `http:/\t//${name}?a`],
  ['a name without a scheme', (name: string) => `//${name}#a`],
  ['a name behind a tab between slashes', (name: string) => `\0 /\t/${name}`],
  ['a name behind a password', (name: string) => `http://a:b@${name}/`],
])('[SAFE-01] %s of thousands of signs is refused before it holds anybody up', (_, of) => {
  expect(parseAddress(of(costly(60)), BASE)?.hostname).toMatch(/^xn--/)
  const endless = of(costly(8_000))
  const since = performance.now()
  expect(parseAddress(endless, BASE)).toBeNull()
  // Five milliseconds, at five times that bound.
  expect(performance.now() - since).toBeLessThan(25)
})

it('has 8 kB at most, of which a path may have nearly all', () => {
  const { length } = 'http://a/'
  expect(parseAddress(`http://a/${'x'.repeat(8_192 - length)}`)?.hostname).toBe('a')
  expect(parseAddress(`http://a/${'x'.repeat(8_193 - length)}`)).toBeNull()
  expect(parseAddress('x'.repeat(8_000), BASE)?.pathname).toHaveLength('/live/'.length + 8_000)
  expect(parseAddress(`/${'x'.repeat(8_000)}`, BASE)?.hostname).toBe('cdn.example')
  expect(parseAddress(`a?http://${'x'.repeat(8_000)}`, BASE)?.hostname).toBe('cdn.example')
  expect(parseAddress('no address')).toBeNull()
})

it('[SAFE-01] the address of a push that is too long is refused before it is read', () => {
  const endless = `https://${costly(8_170)}`
  const since = performance.now()
  expect(RemovePushBody.safeParse({ endpoint: endless }).success).toBe(false)
  expect(performance.now() - since).toBeLessThan(25)
  for (const endpoint of ['ftp://a/', 'a', `https://a/${'x'.repeat(2_040)}`]) {
    expect(RemovePushBody.safeParse({ endpoint }).success).toBe(false)
  }
  expect(RemovePushBody.parse({ endpoint: ' https://push.example/a ' }).endpoint).toBe('https://push.example/a')
})
