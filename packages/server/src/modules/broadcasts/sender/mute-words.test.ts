import type { Progress } from '@siarin/media/parse/progress'
import { describe, expect, it } from 'vitest'
import { followWords, lifeSignOf } from './mute-words.ts'
import type { LastWords } from './progress-file.ts'

const progress = { outTimeMs: 60_000, ended: false } as Progress

/** Looks every second for so long, and says how far ffmpeg seems to have come at the end. */
function looked(
  seconds: number,
  { words, works }: { words: (second: number) => LastWords; works: (s: number) => boolean },
) {
  let second = 0
  let read = 0
  const lastWords = followWords(
    () => words(second),
    () => String(works(second) ? ++read : read),
    () => second * 1_000,
  )
  let last: LastWords | null = null
  for (; second <= seconds; second++) last = lastWords()
  return last?.progress.outTimeMs
}

const once = (): LastWords => ({ progress, agoMs: 0, saidAt: 1 })
const always = (second: number): LastWords => ({ progress, agoMs: 0, saidAt: second })

describe('[SAFE-04] an ffmpeg that found no room to say how far it is', () => {
  it('has come further by the time that has passed, while it works', () => {
    expect(looked(40, { words: once, works: () => true })).toBe(100_000)
    expect(looked(40, { words: once, works: (second) => second % 4 === 0 })).toBe(100_000)
  })

  it('is where it was once it does not work any more', () => {
    expect(looked(40, { words: once, works: () => false })).toBe(60_000)
    expect(looked(40, { words: once, works: (second) => second < 20 })).toBe(60_000)
  })

  it('is believed while it speaks, also where it says that it does not move', () => {
    expect(looked(40, { words: always, works: () => true })).toBe(60_000)
  })

  it('has come to its end where that was the last that it said', () => {
    const ended = () => ({ progress: { ...progress, ended: true }, agoMs: 0, saidAt: 1 })
    expect(looked(40, { words: ended, works: () => true })).toBe(60_000)
  })
})

describe('the signs of life of a process', () => {
  it('are there while it is, and not any more after it', () => {
    expect(lifeSignOf(process.pid, 'video')()).toMatch(/^\d+$/)
    expect(lifeSignOf(process.pid, 'online')()).toMatch(/^\d+ \d+$/)
    expect(lifeSignOf(4_194_304, 'video')()).toBeNull()
  })
})
