import { expect, it } from 'vitest'
import { broadcastWords } from './broadcast-words.ts'

it.each([
  [[], 'Belum ada siaran yang tayang.'],
  [[{ state: 'live' }, { state: 'live' }], '2 siaran tayang.'],
  [[{ state: 'live' }, { state: 'starting', restarts: 2 }], '1 siaran tayang, 1 menyambung ulang.'],
  [[{ state: 'queued' }, { state: 'stopping' }], '2 dalam proses.'],
] as const)('%j is told as %s', (streams, words) => {
  expect(broadcastWords(streams)).toBe(words)
})
