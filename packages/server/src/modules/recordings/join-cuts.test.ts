import { describe, expect, it } from 'vitest'
import { createJoinCuts } from './join-cuts.ts'
import type { Line } from './line.ts'
import type { RecordingRow } from './recordings.repo.ts'

const list = { seconds: 4, startSeconds: 0, outpoint: null, bodySeconds: null }
const KEYS = ['a', 'b', 'c']

/** One pass of each. */
const line: Line = {
  ...{ segments: 3, ms: 12_000, longest: 4, isOpen: false, places: [{ segment: 0, ms: 0 }] },
  bodyOf: async () =>
    JSON.stringify({
      clips: KEYS.map((key) => ({ key, tailKey: null, list, looping: true })),
      cuts: KEYS.map((_, clip) => [clip, 0, 4_000, 1, 4]),
    }),
}

describe('[REC-03] a file of what was sent', () => {
  it('has no further video brought here once nobody wants it', async () => {
    const pinned: string[] = []
    const released: string[] = []
    const abort = new AbortController()
    const { of } = createJoinCuts({
      cutter: { cut: async () => [] },
      storage: {
        head: async () => ({ bytes: 1, etag: '""', modifiedAt: new Date(0) }),
        async pin(key) {
          pinned.push(key)
          abort.abort(new Error('nobody wants it'))
          return { path: key, release: () => released.push(key) }
        },
      },
      steps: { of: () => async () => {} } as never,
      // biome-ignore lint/correctness/useYield: it is never come to
      async *make() {
        throw new Error('made')
      },
      likenessesOf: async (_, keys) => new Map([...keys].map((key) => [key, 'alike'])),
    })
    const joined = await of({ id: 'r', user_id: 'u' } as RecordingRow, line, { fromMs: 0, toMs: 12_000 }, abort.signal)
    await expect(joined?.bytes(abort.signal).next()).rejects.toThrow('nobody wants it')
    expect([pinned, released]).toEqual([['a'], ['a']])
  })
})
