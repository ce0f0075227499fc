import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { waitFor } from '@siarin/testkit/wait-for'

const PATIENT = { timeoutMs: 120_000 }

/** Stands in for ffprobe and ffmpeg: the real ones, but for the runs that a test holds up, which wait for ever. */
export async function fakeTools(folder: string) {
  const at = (name: string) => join(folder, name)
  const script = (real: string) => `#!/bin/sh
held=$(cat '${at('held')}' 2>/dev/null)
if [ -n "$held" ]; then
  case "$*" in
  *$held*) echo "$$ $*" >> '${at('runs')}'; exec sleep 600;;
  esac
fi
exec '${real}' "$@"
`
  const { FFMPEG_PATH, FFPROBE_PATH } = process.env
  await writeFile(at('ffmpeg.sh'), script(FFMPEG_PATH || 'ffmpeg'), { mode: 0o755 })
  await writeFile(at('ffprobe.sh'), script(FFPROBE_PATH || 'ffprobe'), { mode: 0o755 })
  const runs = async (): Promise<{ pid: number; line: string }[]> => {
    const text = await readFile(at('runs'), 'utf8').catch(() => '')
    const lines = text.split('\n').filter(Boolean)
    return lines.map((line) => ({ pid: Number(line.split(' ')[0]), line }))
  }
  return {
    settings: { FFMPEG_PATH: at('ffmpeg.sh'), FFPROBE_PATH: at('ffprobe.sh') },
    /** From now on whatever has this in its arguments. */
    async hold(part: string): Promise<void> {
      await rm(at('runs'), { force: true })
      await writeFile(at('held'), part)
    },
    letGo: (): Promise<void> => rm(at('held'), { force: true }),
    /** Those that were held up since then. */
    runs,
    async held(count = 1): Promise<{ pid: number; line: string }> {
      await waitFor(`${count} runs to be held up`, async () => (await runs()).length >= count, PATIENT)
      const [first] = await runs()
      if (!first) throw new Error('nothing was held up')
      return first
    },
  }
}

export type FakeTools = Awaited<ReturnType<typeof fakeTools>>
