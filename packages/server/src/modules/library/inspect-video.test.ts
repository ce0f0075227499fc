import { readFile, rename, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TempDir, tempDir } from '@siarin/testkit/temp-dir'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createInspector } from './inspect-video.ts'

const FACTS = {
  format: { format_name: 'mp4' },
  streams: [{ codec_type: 'video', codec_name: 'h264', width: 640, height: 360 }],
}

let folder: TempDir
beforeEach(async () => {
  folder = await tempDir('inspect-video')
})
afterEach(() => folder.remove())

it('a file is inspected once, also under another name, and anew when it has changed', async () => {
  const [tool, runs, arrived, kept] = ['ffprobe.sh', 'runs', 'arrived', 'kept'].map((name) =>
    join(folder.path, name),
  ) as [string, string, string, string]
  await writeFile(tool, `#!/bin/sh\necho run >> '${runs}'\necho '${JSON.stringify(FACTS)}'\n`, { mode: 0o755 })
  const inspect = createInspector(tool, 60_000)
  const runCount = async () => (await readFile(runs, 'utf8')).trim().split('\n').length

  await writeFile(arrived, 'some video')
  const first = await inspect(arrived)
  await rename(arrived, kept)
  expect(await inspect(kept)).toEqual(first)
  expect(await runCount()).toBe(1)

  await writeFile(kept, 'another video')
  await inspect(kept)
  expect(await runCount()).toBe(2)
})

const box = (type: string, body: Buffer): Buffer => {
  const head = Buffer.alloc(8)
  head.writeUInt32BE(8 + body.length, 0)
  head.write(type, 4, 'latin1')
  return Buffer.concat([head, body])
}
function headerOf(seconds: number): Buffer {
  const mvhd = Buffer.alloc(100)
  mvhd.writeUInt32BE(1, 12)
  mvhd.writeUInt32BE(seconds, 16)
  return Buffer.concat([box('ftyp', Buffer.from('isom')), box('moov', box('mvhd', mvhd))])
}

describe('a long MP4 whose edges are read with its header', () => {
  const SECONDS = 600
  const span = { start_time: '0.000000', duration: `${SECONDS}.000000` }
  const header = {
    format: { format_name: 'mp4', ...span },
    streams: [
      { ...FACTS.streams[0], ...span, index: 0, avg_frame_rate: '30/1', r_frame_rate: '30/1' },
      {
        ...span,
        index: 1,
        codec_type: 'audio',
        codec_name: 'aac',
        sample_rate: '48000',
        channels: 2,
        nb_frames: '28125',
      },
    ],
  }
  const packetsOf = (count: number) =>
    Array.from({ length: count }, (_, i) => {
      const at = (i === 0 ? 0 : SECONDS - 12 + (12 * i) / count).toFixed(6)
      return { stream_index: i % 2, pts_time: at, dts_time: at, duration_time: '0.001000', flags: 'K__' }
    })

  /** Inspects one with so many packets at its edges; `largest`: the longest text that was parsed in one piece. */
  async function inspected(packets: number) {
    const [tool, whole, bare, file] = ['ffprobe.sh', 'whole.json', 'bare.json', 'file.mp4'].map((name) =>
      join(folder.path, name),
    ) as [string, string, string, string]
    await writeFile(whole, JSON.stringify({ packets: packetsOf(packets), ...header }))
    await writeFile(bare, JSON.stringify(header))
    const script = `case "$*" in *-read_intervals*) cat '${whole}';; *) cat '${bare}';; esac`
    await writeFile(tool, `#!/bin/sh\n${script}\n`, { mode: 0o755 })
    await writeFile(file, headerOf(SECONDS))
    // As many bytes as so many packets have.
    await truncate(file, 50_000_000)
    const parse = vi.spyOn(JSON, 'parse')
    try {
      const probe = await createInspector(tool, 60_000)(file)
      const answers = parse.mock.calls.map(([text]) => text).filter((text) => text.includes('"streams"'))
      return { probe, parsed: answers.length, largest: Math.max(...answers.map(({ length }) => length)) }
    } finally {
      parse.mockRestore()
    }
  }

  it('has them parsed once, with as many packets as an honest one has', async () => {
    const { probe, parsed } = await inspected(2_500)
    expect(probe.loop).toBeDefined()
    expect(parsed).toBe(1)
  })

  it('holds nobody else up with twenty thousand: they are left out', async () => {
    const { probe, largest } = await inspected(20_000)
    expect(probe).toMatchObject({ durationSeconds: SECONDS, video: { width: 640 } })
    expect(probe.loop).toBeUndefined()
    expect(largest).toBeLessThan(400_000)
  })
})
