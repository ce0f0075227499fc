import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { Probe } from './file-facts.ts'
import { createKeyframes } from './keyframes.ts'

const PATH = '/media/original.mp4'
const clip = { path: PATH, loop: null }

describe('the key frame at which a broadcast goes on', () => {
  const args = [60_000, 'owner'] as const

  it('is looked for', async () => {
    const keyframeBefore = createKeyframes(async () => '58.5,K__\n58.6,___')
    expect(await keyframeBefore(clip, ...args)).toBe(58.5)
  })

  it('is looked for once by twenty targets that start within seconds, with those that follow, and again in a file that has changed', async () => {
    let looks = 0
    const text = '58,K__\n59.9,___\n60,K__\n61.9,___\n62,K__\n63.9,___'
    const keyframeBefore = createKeyframes(async () => {
      looks++
      return text
    })
    const positions = Array.from({ length: 20 }, (_, index) => 59_000 + 200 * index)
    const found = await Promise.all(positions.map((ms) => keyframeBefore(clip, ms, 'owner')))
    expect(found).toEqual(positions.map((ms) => (ms < 60_000 ? 58 : ms < 62_000 ? 60 : 62)))
    expect(looks).toBe(1)
    await keyframeBefore({ ...clip, version: 'changed' }, ...args)
    expect(looks).toBe(2)
    // Before and behind what is known.
    for (const ms of [57_999, 63_900]) await keyframeBefore(clip, ms, 'owner')
    expect(looks).toBe(4)
  })

  it('is the start where what is found there is none, nor a line at all', async () => {
    for (const text of ['', '58.5,___\n60,K__', 'N/A,K__', null]) {
      expect([text, await createKeyframes(async () => text)(clip, ...args)]).toEqual([text, 0])
    }
  })

  it('is soon the first one where it cannot be found, whoever else waits for files that hang', async () => {
    const slow = new Set<AbortController>()
    let limitMs = Number.POSITIVE_INFINITY
    const hangs: Probe = (_asked, timeoutMs = 10_000) => {
      const end = new AbortController()
      slow.add(end)
      limitMs = Math.min(limitMs, timeoutMs)
      return sleep(10_000, '', { signal: end.signal }).catch(() => '')
    }
    const keyframeBefore = createKeyframes(hangs)
    const others = Array.from({ length: 8 * 20 }, (_, index) => keyframeBefore(clip, 60_000, `other ${index % 8}`))
    const begin = performance.now()
    expect(await keyframeBefore(clip, ...args)).toBe(0)
    expect(performance.now() - begin).toBeLessThan(2_000)
    // And ffprobe is ended then.
    expect(limitMs).toBeLessThanOrEqual(1_500)
    for (const end of slow) end.abort()
    await Promise.all(others)
  })

  it('is found for an owner who asks once, behind others whose files hang', async () => {
    const mixed: Probe = async (asked, timeoutMs = 10_000) => {
      if (asked.at(-1)?.endsWith(PATH)) return '58.5,K__'
      return sleep(timeoutMs, '', { ref: false })
    }
    const keyframeBefore = createKeyframes(mixed)
    const bad = { ...clip, path: '/media/hangs.flv' }
    for (let index = 0; index < 8 * 20; index++) void keyframeBefore(bad, 60_000, `other ${index % 8}`)
    expect(await keyframeBefore(clip, ...args)).toBe(58.5)
  })
})
