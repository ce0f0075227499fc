import { Secret } from '@siarin/media/secret'
import { describe, expect, it } from 'vitest'
import { createSealer } from '../../platform/secrets/seal.ts'
import { openRequest, replaceRequest, sealRequest, targetsOf, withNames } from './start-request.ts'

const sealer = createSealer(new Secret('a secret of this test alone'))
const what = { source: 'klip.mp4', looping: true }
const of = (platform: 'youtube' | 'lain', rtmpStream = '') => ({ platform, rtmpStream })

describe('what a schedule keeps of its broadcast', () => {
  it('is readable as versions wrote it that knew one target alone', () => {
    const old = sealer.seal(new Secret(JSON.stringify({ ...what, platform: 'youtube', rtmpStream: 'kunci' })))
    expect(targetsOf(openRequest(sealer, old))).toMatchObject([{ platform: 'youtube', rtmpStream: 'kunci' }])
  })

  it('has the names of stored targets, and no key of theirs', () => {
    const request = { ...what, targets: [{ targetId: 't', rtmpStream: '' }, of('lain', 'kunci')] }
    const found = [
      { platform: 'youtube' as const, name: 'Utama' },
      { platform: 'lain' as const, name: null },
    ]
    const kept = openRequest(sealer, sealRequest(sealer, withNames(request, found)))
    expect(targetsOf(kept)).toEqual([
      { targetId: 't', rtmpStream: '', platform: 'youtube', name: 'Utama' },
      of('lain', 'kunci'),
    ])
  })
})

describe('a change of it', () => {
  const before = { ...what, targets: [of('lain', 'satu'), of('lain', 'dua'), of('youtube', 'tiga')] }
  const keysOf = (request: Parameters<typeof targetsOf>[0]) => targetsOf(request).map(({ rtmpStream }) => rtmpStream)

  it('without targets keeps them, with bare ones their keys in their order', () => {
    expect(keysOf(replaceRequest(before, { ...what, rtmpStream: '' }))).toEqual(['satu', 'dua', 'tiga'])
    const targets = [of('youtube'), of('lain'), of('lain')]
    expect(keysOf(replaceRequest(before, { ...what, rtmpStream: '', targets }))).toEqual(['tiga', 'satu', 'dua'])
  })

  it('never guesses which of several keys is meant', () => {
    for (const targets of [[of('lain')], [of('youtube'), of('youtube')]]) {
      expect(() => replaceRequest(before, { ...what, rtmpStream: '', targets })).toThrow('key')
    }
    expect(keysOf(replaceRequest(before, { ...what, ...of('youtube') }))).toEqual(['tiga'])
    expect(() => replaceRequest(before, { ...what, ...of('lain') })).toThrow('key')
  })
})
