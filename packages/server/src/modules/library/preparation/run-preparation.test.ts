import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { tempDir } from '@siarin/testkit/temp-dir'
import { expect, it } from 'vitest'
import { runPreparation } from './run-preparation.ts'

it('gives what was made the time to be moved at its end, no more to one that made nothing, and none to what is refused', async () => {
  const folder = await tempDir('run-preparation')
  const tool = join(folder.path, 'ffmpeg')
  // It says what it has made, and is silent while it moves it.
  const words = 'frame=1\\nfps=25\\nout_time_us=1000000\\ntotal_size=%s\\nprogress=continue\\n'
  await writeFile(tool, `#!/bin/sh\nfor last; do :; done\nprintf '${words}' "$last"\nexec sleep 4\n`)
  await chmod(tool, 0o755)
  const run = (madeBytes: number, timeoutMs = 60_000, grow = async (_bytes: number) => {}) =>
    runPreparation(tool, [String(madeBytes)], {
      signal: new AbortController().signal,
      timeoutMs,
      standstillMs: (made) => 2_000 + made,
      grow,
    })
  expect(await run(60_000)).toMatchObject({ ok: true, timedOut: null })
  expect(await run(0)).toMatchObject({ ok: false, timedOut: 'stood-still' })
  expect(await run(60_000, 200)).toMatchObject({ ok: false, timedOut: 'over-time' })
  const refuse = async (bytes: number) => {
    throw new Error(`${bytes} bytes do not fit`)
  }
  await expect(run(60_000, 60_000, refuse)).rejects.toThrow('60000 bytes do not fit')
  await folder.remove()
})
