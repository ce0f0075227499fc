import { closeSync, constants, openSync, writeSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { tempDir } from '@siarin/testkit/temp-dir'
import { run } from './run.ts'

/** Many broadcasts without the media: each has a process of its own, and one writer here writes the progress of all. */
export interface SimulatedStreams extends AsyncDisposable {
  /** For FFMPEG_PATH. */
  readonly ffmpegPath: string
  progressFiles(): string[]
  /** How many of them were ever started. */
  started(): Promise<number>
}

const BATCHES_PER_SECOND = 20
const LOOK_EVERY_MS = 500
const KBPS = 2_500

export async function simulateStreams(): Promise<SimulatedStreams> {
  const folder = await tempDir('bench-simulated')
  const [register, gate, ffmpegPath] = ['register', 'gate', 'ffmpeg'].map((name) => join(folder.path, name)) as [
    string,
    string,
    string,
  ]
  await writeFile(register, '')
  await run('mkfifo', [gate])
  await writeFile(ffmpegPath, standIn(register, gate), { mode: 0o755 })
  // As long as we have it open, its readers wait; when we end, in whatever way, so do they.
  const gateHandle = openSync(gate, constants.O_RDWR)
  const streams: { file: string; handle: number; seconds: number; position: number }[] = []
  let batch = 0

  async function takeUpNew(): Promise<void> {
    const files = (await readFile(register, 'utf8')).split('\n').slice(0, -1)
    for (const file of files.slice(streams.length)) {
      streams.push({ file, handle: openSync(file, 'w', 0o600), seconds: 0, position: 0 })
    }
  }
  /** Each stream once a second, and not all at the same time, as with real ones. */
  function writeBatch(): void {
    batch = (batch + 1) % BATCHES_PER_SECOND
    for (const [index, stream] of streams.entries()) {
      if (index % BATCHES_PER_SECOND !== batch) continue
      stream.seconds++
      // At its own place, as ffmpeg does: the program cuts the file off now and then.
      stream.position += writeSync(stream.handle, progressBlock(stream.seconds), stream.position)
    }
  }
  const timers = [setInterval(takeUpNew, LOOK_EVERY_MS), setInterval(writeBatch, 1000 / BATCHES_PER_SECOND)]
  return {
    ffmpegPath,
    progressFiles: () => streams.map(({ file }) => file),
    started: async () => (await readFile(register, 'utf8')).split('\n').length - 1,
    async [Symbol.asyncDispose]() {
      for (const timer of timers) clearInterval(timer)
      for (const { handle } of streams) closeSync(handle)
      closeSync(gateHandle)
      // A program that was killed leaves them behind, in memory.
      for (const { file } of streams) await rm(dirname(file), { recursive: true, force: true })
      await folder.remove()
    },
  }
}

/** Says where its progress is wanted and then waits, without a `sleep` beside it: that would be twice as many processes. */
const standIn = (register: string, gate: string): string => `#!/bin/sh
for last; do :; done
case "$last" in
rtmp:*) ;;
*) exec ffmpeg "$@" ;;
esac
while [ "$1" != -progress ]; do shift; done
echo "\${2#file:}" >> '${register}'
read -r never < '${gate}'
`

const progressBlock = (seconds: number): string => `frame=${seconds * 25}
fps=25.00
stream_0_0_q=-1.0
bitrate=${KBPS}.0kbits/s
total_size=${(seconds * KBPS * 1000) / 8}
out_time_us=${seconds}000000
out_time_ms=${seconds}000000
out_time=00:00:00.000000
dup_frames=0
drop_frames=0
speed=1.00x
progress=continue
`
