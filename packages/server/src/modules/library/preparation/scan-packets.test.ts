import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TempDir, tempDir } from '@siarin/testkit/temp-dir'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { turnNumber } from '../../../platform/loop-turn.ts'
import { readPackets } from './scan-packets.ts'

let folder: TempDir
beforeAll(async () => {
  folder = await tempDir('scan-packets')
})
afterAll(() => folder.remove())

/** So many bytes come from another process at a time. */
const PIECE_BYTES = 64 * 1024
const LINE = '0.040000,0.040000,0.040000,1000,K_\n'
const LINES = 200_000

it('[SAFE-07] the packets of a file are looked at some thousands at a time, however fast they come', async () => {
  const file = join(folder.path, 'packets')
  await writeFile(file, LINE.repeat(LINES))
  const limits = { baseMs: 60_000, signal: new AbortController().signal }
  const inTurn = new Map<number, number>()
  let lines = 0
  const end = await readPackets('/bin/cat', file, [file], limits, () => {
    inTurn.set(turnNumber(), (inTurn.get(turnNumber()) ?? 0) + 1)
    return ++lines
  })
  expect([end, lines]).toEqual([{ isWhole: true, gaveUp: false }, LINES])
  expect(Math.max(...inTurn.values())).toBeLessThanOrEqual(2 * (PIECE_BYTES / LINE.length + 1_000))
})
