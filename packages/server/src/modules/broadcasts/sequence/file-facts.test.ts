import { hash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createFileFacts } from './file-facts.ts'

/** However long its parameters are. */
const PARAMETERS = 'codec_name=h264|time_base=1/90000\n'.repeat(400)
const MARK = hash('sha256', PARAMETERS)

function scene() {
  let nowMs = 0
  let answer: string | null = PARAMETERS
  let asked = 0
  const facts = createFileFacts(
    async () => {
      asked++
      return answer
    },
    () => nowMs,
  )
  return {
    ...facts,
    asked: () => asked,
    says(next: string | null): void {
      answer = next
    },
    wait(ms: number): void {
      nowMs += ms
    },
  }
}

describe('what is known of a file', () => {
  it('is found out once, and anew when the file is another', async () => {
    const { likenessOf, asked, says } = scene()
    const file = { path: '/a.mp4', version: 'whole' }
    expect([await likenessOf(file), await likenessOf(file), asked()]).toEqual([MARK, MARK, 1])
    says(null)
    expect([await likenessOf({ ...file, version: 'zeroed' }), asked()]).toEqual([null, 2])
    // Put back.
    expect([await likenessOf(file), asked()]).toEqual([MARK, 2])
  })

  it('is not asked for again and again where it cannot be read, and is after a while', async () => {
    const { likenessOf, asked, says, wait } = scene()
    const file = { path: '/a.mp4', version: 'same' }
    says(null)
    for (let times = 0; times < 5; times++) expect(await likenessOf(file)).toBeNull()
    expect(asked()).toBe(1)
    // The disk failed for a moment: the file is as it was.
    says(PARAMETERS)
    wait(600_000)
    expect(await likenessOf(file)).toBe(MARK)
  })
})
