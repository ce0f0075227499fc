import { readFile, rename, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TempDir, tempDir } from '@siarin/testkit/temp-dir'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createArrivalInspector, createInspector, InspectionTimedOutError } from './inspect-video.ts'

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

describe('[SAFE-04] what arrives', () => {
  /** Reading a file that holds the word 'sleeps' takes longer than it may. */
  async function stage(timeoutMs = 60_000) {
    const [tool, runs] = [join(folder.path, 'ffprobe.sh'), join(folder.path, 'runs')]
    const script = `for last; do :; done
path=$(echo "$last" | cut -c6-)
echo "\${path##*/}" >> '${runs}'
case "$(cat "$path")" in *sleeps*) exec sleep 60;; esac
echo '${JSON.stringify(FACTS)}'`
    await writeFile(tool, `#!/bin/sh\n${script}\n`, { mode: 0o755 })
    const inspect = createArrivalInspector(createInspector(tool, timeoutMs))
    const send = async (name: string, user: string, content = 'a video') => {
      const path = join(folder.path, name)
      await writeFile(path, content)
      return inspect(path, user).catch((error: Error) => error)
    }
    const runsOf = async (name: string) =>
      (await readFile(runs, 'utf8').catch(() => '')).split('\n').filter((line) => line === name).length
    return { send, runsOf }
  }

  it('waits for nobody whose files take long, however many they are', async () => {
    const { send, runsOf } = await stage(4_000)
    const slow = Promise.all(['a', 'b', 'c', 'd', 'e', 'f'].map((user) => send(`slow-${user}`, user, 'sleeps')))
    await expect.poll(() => runsOf('slow-b')).toBe(1)
    const begunMs = performance.now()
    // Three pairs give way after a second and a half each; without that it would be two times four seconds for each.
    expect(await send('ordinary', 'neighbour')).toMatchObject({ formatName: 'mp4' })
    expect(performance.now() - begunMs).toBeLessThan(10_000)
    // One of those has a second file, which waits for the first.
    void send('slow-a2', 'a', 'sleeps')
    const againMs = performance.now()
    await send('another', 'neighbour')
    expect(performance.now() - againMs).toBeLessThan(2_000)
    expect(await runsOf('slow-a2')).toBe(0)
    void slow
  })

  it('is known as hard to look into where that took seconds of work, and not where it took as long to wait', async () => {
    const tool = join(folder.path, 'ffprobe.sh')
    // As ffprobe does with tens of thousands of tags.
    const work =
      'until [ "$(cut -d" " -f14 /proc/$$/stat)" -gt 270 ]; do i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done; done'
    const script = `case "$*" in *tags*) ${work};; *) sleep 3;; esac\necho '${JSON.stringify(FACTS)}'`
    await writeFile(tool, `#!/bin/sh\n${script}\n`, { mode: 0o755 })
    const inspect = createInspector(tool, 60_000)
    const isHard = async (name: string) => {
      await writeFile(join(folder.path, name), name)
      return (await inspect(join(folder.path, name))).isHard ?? false
    }
    expect(await Promise.all([isHard('tags.mkv'), isHard('slow-disk.mkv')])).toEqual([true, false])
  })

  it('is inspected a second time only where the machine was too busy for it', async () => {
    const { send, runsOf } = await stage(1_000)
    expect(await send('idle', 'a', 'sleeps')).toMatchObject({ wasStarved: true })
    expect(await runsOf('idle')).toBe(2)
    let count = 0
    const inspect = createArrivalInspector(async () => {
      count++
      throw new InspectionTimedOutError({ wasStarved: false })
    })
    await expect(inspect('tags.mkv', 'b')).rejects.toThrow(InspectionTimedOutError)
    expect(count).toBe(1)
  })
})
