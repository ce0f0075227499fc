import { describe, expect, it } from 'vitest'
import { heightOf, toProxied, withHeight } from './proxied-address.ts'

describe('an address that ffmpeg reads through the proxy', () => {
  it.each([
    ['http://a.example/x.m3u8?t=1', 'http://a.example/x.m3u8?t=1'],
    ['https://a.example/x.m3u8?t=1', 'http://a.example.tls.invalid:443/x.m3u8?t=1'],
    ['HTTPS://a.example:8443', 'http://a.example.tls.invalid:8443'],
    ['https://93.184.216.34/x', 'http://93.184.216.34.tls.invalid:443/x'],
  ])('%s is given as %s', (address, given) => {
    expect(toProxied(address)).toBe(given)
  })

  it.each([
    'https://[2606:4700::1]/x',
    'https://user:word@a.example/x',
    'https:///x',
    'seg1.ts',
    '/seg1.ts',
    'file:///x',
  ])('%s is left as it is', (address) => expect(toProxied(address, 'https:')).toBe(address))
})

it('an address may say how many lines the picture may have', () => {
  expect(withHeight('https://a.example/x?t=1#part', 720)).toBe('https://a.example/x?t=1#height=720')
  expect(withHeight('https://a.example/x', undefined)).toBe('https://a.example/x')
  expect(heightOf(withHeight('https://a.example/x', 720))).toBe('720')
  expect(heightOf('https://a.example/x#part')).toBeNull()
})
