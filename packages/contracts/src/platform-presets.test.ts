import { describe, expect, it } from 'vitest'
import { joinTarget, type PlatformTakes } from './platform-preset.ts'
import { PLATFORM_PRESETS, presetOf } from './platform-presets.ts'
import { PLATFORM_FACTS, PLATFORMS } from './platforms.ts'
import { placeWords, takesWords } from './preset-texts.ts'

const OTHERS = PLATFORM_PRESETS.filter(({ id }) => !(PLATFORMS as readonly string[]).includes(id))
const FIGURES = [
  'videoKbps',
  'audioKbps',
  'fps',
  'keyframeSeconds',
  'shortSide',
] as const satisfies (keyof PlatformTakes)[]

describe('the presets of platforms', () => {
  it('[TGT-02] are at least 25 beside those of the select', () => {
    expect(OTHERS.length).toBeGreaterThanOrEqual(25)
    expect(PLATFORM_PRESETS.length - OTHERS.length).toBe(3)
  })

  it('have ids and names of their own', () => {
    for (const of of ['id', 'name'] as const) {
      const all = PLATFORM_PRESETS.map((preset) => preset[of].toLowerCase())
      expect(all.filter((one, at) => all.indexOf(one) !== at)).toEqual([])
    }
    expect(presetOf('twitch')?.name).toBe('Twitch')
    expect(presetOf('')).toBeNull()
  })

  it.each(['youtube', 'facebook'] as const)('say of %s what the select uses', (id) => {
    const { ingestBase, sessionHours } = PLATFORM_FACTS[id]
    expect(joinTarget(presetOf(id)?.servers[0]?.url ?? '', 'k')).toBe(`${ingestBase}k`)
    if (sessionHours !== null) expect(presetOf(id)?.sessionHours).toBe(sessionHours)
  })
})

describe.each(PLATFORM_PRESETS)('the preset of $name', ({ servers, takes, ...preset }) => {
  it('has words for a person', () => {
    expect(preset.id).toMatch(/^[a-z]+$/)
    expect(preset.name.trim()).toMatch(/^\S.*$/)
    expect(preset.region).toMatch(/^[A-Z]/)
    for (const sentence of [preset.keyAt, preset.note ?? 'Tidak ada.']) {
      expect(sentence).toMatch(/^[A-Z].*\.$/)
      expect(sentence).not.toMatch(/!|undefined|null/)
      expect(sentence.length).toBeLessThanOrEqual(170)
    }
  })

  it('has addresses of servers and no key in them', () => {
    expect(new Set(servers.map(({ url }) => url)).size).toBe(servers.length)
    for (const { place, url } of servers) {
      const { protocol, hostname, username, password, pathname, search, hash } = new URL(url)
      expect(['rtmp:', 'rtmps:']).toContain(protocol)
      expect(hostname).toMatch(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/)
      expect({ username, password, search, hash }).toEqual({ username: '', password: '', search: '', hash: '' })
      // The application alone, as `app` or `live/input`: a stream key is longer and has digits.
      expect(pathname).toMatch(/^(\/[a-z][a-z_-]{0,15}\d?){1,2}\/?$/)
      expect(place).toMatch(/^[A-Z]/)
    }
  })

  it('has figures that can be', () => {
    for (const figure of FIGURES) {
      const value = takes[figure]
      if (value !== null) expect(value, figure).toBeGreaterThan(0)
    }
    expect(takes.videoKbps ?? 1000).toBeGreaterThanOrEqual(1000)
    expect(takes.fps ?? 30).toBeOneOf([30, 60])
    expect(takes.keyframeSeconds ?? 2).toBeLessThanOrEqual(4)
    expect(takes.videoCodecs ?? ['h264']).toContain('h264')
    if (typeof preset.sessionHours === 'number') expect(preset.sessionHours).toBeGreaterThan(0)
  })

  it('tells what is known of it, and nothing else', () => {
    const line = placeWords({ servers, takes, ...preset })
    expect(line.startsWith(preset.region)).toBe(true)
    expect(line).not.toMatch(/null|undefined|· ·/)
    const isKnown = Object.values(takes).some((value) => value !== null)
    expect(takesWords({ servers, takes, ...preset }) !== null).toBe(isKnown)
  })
})

describe('the words about a platform', () => {
  it('are short lines', () => {
    const twitch = presetOf('twitch')
    expect(twitch && placeWords(twitch)).toBe('Seluruh dunia · Kuncinya tetap · paling lama 48 jam per siaran')
    expect(twitch && takesWords(twitch)).toBe(
      'Menerima sampai 6.000 kbps · sampai 60 fps · keyframe paling jauh 2 detik · H.264 · suara sampai 320 kbps',
    )
    const shopee = presetOf('shopee')
    expect(shopee && takesWords(shopee)).toBeNull()
  })
})

describe('a server and a key', () => {
  it.each([
    ['rtmp://a.tv/live', 'abc', 'rtmp://a.tv/live/abc'],
    ['rtmp://a.tv/live/', ' abc ', 'rtmp://a.tv/live/abc'],
    ['rtmp://a.tv/live', 'x1?auth=a&b=%2F', 'rtmp://a.tv/live/x1?auth=a&b=%2F'],
    [' rtmp://a.tv/live// ', '/abc', 'rtmp://a.tv/live/abc'],
  ])('%s and %s are one address', (server, key, target) => {
    expect(joinTarget(server, key)).toBe(target)
  })
})
