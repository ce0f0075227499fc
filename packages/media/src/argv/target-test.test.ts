import { expect, it } from 'vitest'
import { Secret } from '../secret.ts'
import { targetTestArgs } from './target-test.ts'

it('[TGT-04] a test goes to the judged address, under the name of its server, and ends by itself', () => {
  const args = targetTestArgs({ target: new Secret('rtmp://ingest.test/live/kunci'), address: '192.0.2.7', seconds: 4 })
  expect(args.at(-1)).toBe('rtmp://192.0.2.7:1935/live/kunci')
  expect(args[args.indexOf('-rtmp_tcurl') + 1]).toBe('rtmp://ingest.test:1935/live')
  expect(args[args.indexOf('-t') + 1]).toBe('4')
  expect(args).not.toContain('-stream_loop')
})

it('[TGT-04] a test of an RTMPS server judges its certificate, as a broadcast does', () => {
  const args = targetTestArgs({ target: new Secret('rtmps://ingest.test/live/kunci'), address: null, seconds: 4 })
  expect(args[args.indexOf('-tls_verify') + 1]).toBe('1')
  expect(args.at(-1)).toBe('rtmps://ingest.test/live/kunci')
})
