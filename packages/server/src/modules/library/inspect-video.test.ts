import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TempDir, tempDir } from '@siarin/testkit/temp-dir'
import { afterEach, beforeEach, expect, it } from 'vitest'
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
