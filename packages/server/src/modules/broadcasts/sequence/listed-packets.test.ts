import { execFile } from 'node:child_process'
import { readFile, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { makeClip } from '@siarin/testkit/clips'
import { indexBomb } from '@siarin/testkit/media-bombs'
import { type TempDir, tempDir } from '@siarin/testkit/temp-dir'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listedPackets } from './listed-packets.ts'

const run = promisify(execFile)
const SECONDS = 3.2
/** 25 pictures and 46.875 packets of sound a second. */
const PACKETS = 80 + 150

describe('[SAFE-04] the packets that a file lists', () => {
  let folder: TempDir
  const path = (name: string) => join(folder.path, name)
  const clipOf = async (name: string, extraArgs: string[] = []) => {
    await makeClip(path(name), { seconds: SECONDS, extraArgs })
    return path(name)
  }
  beforeAll(async () => {
    folder = await tempDir('listed')
  })
  afterAll(() => folder.remove())

  it('are counted in all tracks, wherever the header lies', async () => {
    expect(await listedPackets(await clipOf('first.mp4'))).toBe(PACKETS)
    expect(await listedPackets(await clipOf('last.mp4', ['-movflags', '0']))).toBe(PACKETS)
    const tracks = ['-map', '0:v', '-map', '0:a', '-map', '0:a', '-c', 'copy']
    await run('ffmpeg', ['-v', 'error', '-i', path('first.mp4'), ...tracks, path('three.mov')])
    expect(await listedPackets(path('three.mov'))).toBe(PACKETS + 150)
  })

  it('are counted where one line stands for them', async () => {
    await indexBomb(path('line.mp4'), 5_000_000)
    expect(await listedPackets(path('line.mp4'))).toBeGreaterThan(5_000_000)
  })

  it('are those of no table in fragments, and of none at all in another container', async () => {
    const fragments = await clipOf('fragments.mp4', ['-movflags', 'frag_keyframe+empty_moov'])
    expect(await listedPackets(fragments)).toBe(Number.POSITIVE_INFINITY)
    expect(await listedPackets(await clipOf('other.mkv'))).toBeNull()
  })

  it('cannot be told where its boxes have no size, or no end', async () => {
    const boxes = Buffer.alloc(200_000)
    for (let at = 0; at < boxes.length; at += 8) boxes.writeUInt32BE(8, at) && boxes.write('free', at + 4, 'latin1')
    await writeFile(path('many.mp4'), boxes)
    expect(await listedPackets(path('many.mp4'))).toBe(Number.POSITIVE_INFINITY)
    await writeFile(path('none.mp4'), Buffer.concat([boxes.subarray(0, 8), Buffer.from([0, 0, 0, 7]), boxes]))
    expect(await listedPackets(path('none.mp4'))).toBe(Number.POSITIVE_INFINITY)
  })

  it('are those up to where a file was cut off', async () => {
    const file = await clipOf('cut.mp4')
    const header = (await readFile(file)).indexOf('stsz')
    await truncate(file, header + 4)
    expect(await listedPackets(file)).toBeLessThanOrEqual(PACKETS)
    await truncate(file, 3)
    expect(await listedPackets(file)).toBeNull()
  })
})
