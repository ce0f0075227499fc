import { execFile } from 'node:child_process'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { broadcastArgs } from '@siarin/media/argv/broadcast'
import { Secret } from '@siarin/media/secret'
import { SLOTS, slotList } from '@siarin/media/slot-list'
import { cachedClip } from '@siarin/testkit/clips'
import { type TempDir, tempDir } from '@siarin/testkit/temp-dir'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listedPackets } from '../src/modules/broadcasts/sequence/listed-packets.ts'
import { BROADCAST_MEMORY_BYTES, broadcastMemory, limitedCommand } from '../src/platform/process/limited-tool.ts'

const PASS_SECONDS = 3.2
const FPS = 60
/** As many as pass for a usual file: three hours and a half. */
const TIMES = 3_800
const LAST_SECONDS = TIMES * PASS_SECONDS - 2 * PASS_SECONDS

let folder: TempDir
beforeAll(async () => {
  folder = await tempDir('memory')
})
afterAll(() => folder.remove())

/** A loop whose list wraps round again and again, as quickly as it can be read; null: it ended well. */
async function looped(hasLists: boolean, memoryBytes: number): Promise<string | null> {
  const options = {
    seconds: PASS_SECONDS,
    width: 64,
    height: 64,
    fps: FPS,
    extraArgs: ['-preset', 'veryfast', '-bf', '2'],
  }
  const path = await cachedClip('panjang.mp4', { ...options, times: TIMES })
  expect(broadcastMemory((await listedPackets(path)) ?? 0)).toBe('usual')
  const directory = join(folder.path, `${hasLists}-${memoryBytes}`)
  const { text } = slotList({ fromSeconds: 0, clipSeconds: 0, maxSeconds: 1, hasLists })
  const last = (list: string): string => list.replaceAll(/^(file .*)$/gm, `$1\ninpoint ${LAST_SECONDS}`)
  await mkdir(directory)
  await writeFile(join(directory, 'list'), hasLists ? text : last(text))
  await writeFile(join(directory, 'inner'), last(`ffconcat version 1.0\nfile ${path}\n`))
  for (const slot of SLOTS) await symlink(hasLists ? 'inner' : path, join(directory, slot))
  const source = { kind: 'slots', listFile: join(directory, 'list'), wraps: true } as const
  const args = broadcastArgs({ source, progressFile: join(directory, 'p'), target: new Secret('rtmp://127.0.0.1/a/b') })
  const quick = [...args.filter((arg) => arg !== '-re').slice(0, -1), ...['-t', '60', '-y', '/dev/null']]
  const run = promisify(execFile)(...limitedCommand(process.env['FFMPEG_PATH'] || 'ffmpeg', quick, { memoryBytes }))
  return run.then(
    ({ stderr }) => stderr || null,
    ({ stderr }) => stderr || 'ended',
  )
}

describe('[SAFE-04] the memory of a usual broadcast', () => {
  it.each([false, true])(
    'is half as much again as the longest file needs where it wraps round (behind lists: %s)',
    async (hasLists) => {
      expect(await looped(hasLists, BROADCAST_MEMORY_BYTES.usual / 1.5)).toBeNull()
    },
  )

  it('ends ffmpeg where it is not enough', async () => {
    expect(await looped(false, BROADCAST_MEMORY_BYTES.usual / 4)).toMatch(/Cannot allocate memory|ended/)
  })
})
