import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type TempDir, tempDir } from '@siarin/testkit/temp-dir'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createRecordedSessions, RECORDED_FOLDER } from './sessions.ts'

let folder: TempDir
beforeEach(async () => {
  folder = await tempDir('sessions')
})
afterEach(() => folder.remove())

describe('[SAFE-04] the folders of a stream that flaps', () => {
  it('are bounded: it is not recorded while hundreds of its sessions wait to be taken, and again after that', async () => {
    let now = 1_700_000_000_000
    const sessions = createRecordedSessions({ dataDir: folder.path, clock: { now: () => now++ }, worker: 'w' })
    const ofStream = join(folder.path, RECORDED_FOLDER, 'w', 'flaps')
    for (let count = 0; count < 499; count++) await mkdir(join(ofStream, String(now++)), { recursive: true })
    expect(await sessions.open('flaps', 10)).not.toBeNull()
    expect(await sessions.open('flaps', 10)).toBeNull()
    expect(await readdir(ofStream)).toHaveLength(500)
    expect(await sessions.open('steady', 10)).not.toBeNull()
    const [oldest] = await sessions.list()
    if (oldest) await sessions.remove(oldest)
    expect(await sessions.open('flaps', 10)).not.toBeNull()
  })
})
