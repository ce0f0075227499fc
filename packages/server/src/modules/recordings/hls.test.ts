import { describe, expect, it, vi } from 'vitest'
import { filesHlsText, hlsText } from './hls.ts'
import type { Line } from './line.ts'
import { createPlayer } from './player.ts'
import type { RecordingFile, RecordingRow } from './recordings.repo.ts'

const SEGMENTS = 4_000
const ROW = { id: 'r', user_id: 'u', to_at: 1, online: 1 } as RecordingRow
const query = `?ticket=${'t'.repeat(600)}`
const options = { isGrowing: false, query, step: async () => {}, signal: new AbortController().signal, made: null }

const list = { seconds: 4, startSeconds: 0, outpoint: null, bodySeconds: null }
const line: Line = {
  ...{ segments: SEGMENTS, ms: SEGMENTS * 4_000, longest: 4, isOpen: false, places: [{ segment: 0, ms: 0 }] },
  bodyOf: async () =>
    JSON.stringify({
      clips: [{ key: 'a', tailKey: null, list, looping: false }],
      cuts: Array.from({ length: SEGMENTS }, () => [0, 0, 4_000, 1, 4]),
    }),
}
const files = Array.from({ length: 250 }, () => ({ session: 's', ms: 4_000 }) as RecordingFile)

async function* pages() {
  for (let from = 0; from < SEGMENTS; from += files.length) yield files
}

async function piecesOf(text: AsyncIterable<string>): Promise<string[]> {
  const pieces: string[] = []
  for await (const piece of text) pieces.push(piece)
  return pieces
}

describe('[SAFE-07] the list of a recording', () => {
  it.each([
    ['of videos', () => hlsText(line, async () => () => [], options)],
    ['of an online source', () => filesHlsText(pages, options)],
  ])('%s comes in small pieces, however long its addresses are', async (_name, textOf) => {
    const pieces = await piecesOf(textOf())
    expect(pieces.join('').match(/#EXTINF/g)).toHaveLength(SEGMENTS)
    expect(pieces.join('').match(/ticket=t{600}\n/g)).toHaveLength(SEGMENTS)
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(70_000)
  })

  it('is made once of what never changes, however many read it, and says the same each time', async () => {
    const bodyOf = vi.fn(line.bodyOf)
    const made = new Map<number, readonly string[]>()
    const read = async (asked: string) =>
      (await piecesOf(hlsText({ ...line, bodyOf }, async () => () => [], { ...options, query: asked, made }))).join('')
    const plain = await read('')
    expect(await read('')).toBe(plain)
    expect(await read(query)).toBe((await piecesOf(hlsText(line, async () => () => [], options))).join(''))
    expect(plain).toBe((await read(query)).replaceAll(query, ''))
    expect(bodyOf).toHaveBeenCalledOnce()
  })

  it('is given up where its reader takes nothing of it for minutes, and is not made ahead of the reader', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      let read = 0
      async function* endless() {
        // Once to find the longest, which has to be known first.
        if (read === 0) {
          read = 1
          yield files
          return
        }
        for (;;) {
          read++
          yield files
        }
      }
      const player = createPlayer({ material: { filesOf: () => endless() } } as never)
      const body = await player.listOf(ROW, query, options.signal)
      const closed = new Promise((resolve) => body.once('error', resolve))
      body.once('readable', () => body.read())
      for (let turns = 0; turns < 200; turns++) await new Promise(setImmediate)
      expect(body.readableLength).toBeLessThan(200_000)
      expect(read).toBeLessThan(10)
      vi.advanceTimersByTime(100_000)
      expect(body.destroyed).toBe(false)
      vi.advanceTimersByTime(30_000)
      expect(body.destroyed).toBe(true)
      await expect(closed).resolves.toMatchObject({ message: 'nobody takes it any more' })
    } finally {
      vi.useRealTimers()
    }
  })
})
