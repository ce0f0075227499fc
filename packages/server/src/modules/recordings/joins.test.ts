import { expect, it, vi } from 'vitest'
import { createJoins } from './joins.ts'
import type { RecordingRow } from './recordings.repo.ts'

const list = { seconds: 4, startSeconds: 0, outpoint: null, bodySeconds: null }
const row = { id: 'r', user_id: 'u', to_at: 1, online: 0 } as RecordingRow

function joinsOf(bodyOf: () => Promise<string>) {
  const line = { segments: 1, ms: 4_000, longest: 4, isOpen: false, places: [{ segment: 0, ms: 0 }], bodyOf }
  return createJoins({
    lines: { of: async () => line },
    facts: { likenessOf: async () => 'alike' },
    storage: { head: async () => ({ bytes: 1, etag: '""', modifiedAt: new Date(0) }) },
    steps: { of: () => async () => {} },
  } as never)
}

const body = JSON.stringify({
  clips: [{ key: 'a', tailKey: null, list, looping: false }],
  cuts: [[0, 0, 4_000, 1, 4]],
})

it('[SAFE-07] a recording is looked through once for all who ask for the same part of it meanwhile', async () => {
  const bodyOf = vi.fn(async () => body)
  const joins = joinsOf(bodyOf)
  const ask = (part: { from: number; to: number | null }, signal = new AbortController().signal) =>
    joins.of(row, part, signal)
  const gone = new AbortController()
  const left = ask({ from: 0, to: null }, gone.signal)
  const others = Array.from({ length: 20 }, () => ask({ from: 0, to: null }))
  gone.abort(new Error('gone'))
  await expect(left).rejects.toThrow('gone')
  expect(new Set((await Promise.all(others)).map(({ etag }) => etag)).size).toBe(1)
  expect(bodyOf).toHaveBeenCalledOnce()
  const part = await ask({ from: 0, to: 2 })
  expect(part.etag).not.toBe((await others[0])?.etag)
  expect(bodyOf).toHaveBeenCalledTimes(2)
})
