import { spawn } from 'node:child_process'
import { rm, stat, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeClip } from '@siarin/testkit/clips'
import { freePort } from '@siarin/testkit/free-port'
import { ffmpegsUnder } from '@siarin/testkit/processes'
import { waitFor } from '@siarin/testkit/wait-for'
import autocannon from 'autocannon'
import { longVideo, ordinaryVideo } from '../large-files.ts'
import { median, type Row, shared } from '../row.ts'
import { run } from '../run.ts'
import { setStage } from '../stage.ts'

const MIB = 1024 ** 2

async function took(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

/** Written through to the disk, as what is uploaded is. */
async function copyDurably(file: string, copy: string): Promise<void> {
  await run('cp', [file, copy])
  await run('sync', [copy])
  await rm(copy)
}

/** What lies in the storage for each byte that was sent. */
async function diskShare(dataDir: string, sentBytes: number): Promise<number> {
  const { stdout } = await run('du', ['-sb', join(dataDir, 'media')])
  return Number.parseInt(stdout, 10) / sentBytes
}

const ordinary = (minutes: number) =>
  shared(async () => {
    await using stage = await setStage({ env: { STORAGE_LIMIT_GB: '100' } })
    const { folder } = stage
    const file = await ordinaryVideo(folder, minutes)
    const [ours, yardstick]: [number[], number[]] = [[], []]
    for (let round = 0; round < 3; round++) {
      yardstick.push(await took(() => copyDurably(file, join(folder, 'copy'))))
      let sentAt = 0
      const filename = await stage.upload(file, () => {
        sentAt = performance.now()
      })
      await stage.untilReady(filename)
      ours.push(performance.now() - sentAt)
    }
    const share = await diskShare(stage.siarin.dataDir, 3 * (await stat(file)).size)
    return { ready: { ours: median(ours), yardstick: median(yardstick) }, disk: { ours: share, yardstick: 1 } }
  })

const ordinaryRows = (minutes: number): Row[] => {
  const measured = ordinary(minutes)
  return [
    {
      name: `library: from the last byte of an ordinary MP4 of ${minutes} minutes to ready`,
      unit: 'ms',
      yardstick: 'cp and fsync of the file',
      wanted: { ratioAtMost: 3, orAtMost: 1_500 },
      measure: async () => (await measured()).ready,
    },
    {
      name: `library: disk that an ordinary MP4 of ${minutes} minutes takes`,
      unit: 'of its size',
      yardstick: 'the file',
      wanted: { ratioAtMost: 1.05 },
      measure: async () => (await measured()).disk,
    },
  ]
}

export const timeToReady: readonly Row[] = [...ordinaryRows(10), ...ordinaryRows(60)]

export const fullPreparation: Row = {
  name: 'library: speed of a full preparation, from the end of the upload to ready',
  unit: 'per hour',
  yardstick: 'the same ffmpeg command, bare',
  wanted: { ratioAtLeast: 0.95 },
  async measure() {
    await using stage = await setStage()
    const { folder } = stage
    const file = join(folder, 'asing.mkv')
    await makeClip(file, { seconds: 120, width: 1280, height: 720, videoCodec: 'mpeg4', audioCodec: 'libmp3lame' })
    const [ours, yardstick]: [number[], number[]] = [[], []]
    for (let round = 0; round < 3; round++) {
      const filename = await stage.upload(file)
      const startedAt = performance.now()
      const command = await waitFor(
        'the preparation',
        async () => (await ffmpegsUnder(join(stage.siarin.dataDir, 'work')))[0],
      )
      await stage.untilReady(filename, 500)
      ours.push(3_600_000 / (performance.now() - startedAt))
      const output = join(folder, 'bare.mp4')
      const args = command.args.slice(1).map((arg, index, all) => {
        // The second upload has another name on disk, and the first may be gone: the bare run reads the source itself.
        if (index === all.length - 1) return output
        return arg.startsWith('file:') && arg.includes('/media/') ? `file:${file}` : arg
      })
      const bare = await took(() => run(command.args[0] ?? 'ffmpeg', args, { maxBuffer: 10 * MIB }))
      yardstick.push(3_600_000 / bare)
    }
    return { ours: median(ours), yardstick: median(yardstick) }
  },
}

export const rangedReading: Row = {
  name: 'library: reading ranges of 1 MiB',
  unit: 'MiB/s',
  yardstick: 'nginx',
  wanted: { ratioAtLeast: 0.5 },
  async measure() {
    await using stage = await setStage({ env: { LOG_LEVEL: 'warn' } })
    const { folder } = stage
    const file = await longVideo(folder, 256 * MIB)
    const filename = await stage.upload(file)
    await stage.untilReady(filename)
    const port = await freePort()
    const config = join(folder, 'nginx.conf')
    await writeFile(
      config,
      `daemon off; master_process off; worker_processes 1; pid ${folder}/pid; error_log ${folder}/error;
       events {} http { access_log off; sendfile on; client_body_temp_path ${folder}; server { listen 127.0.0.1:${port}; root ${folder}; } }`,
    )
    const nginx = spawn('nginx', ['-c', config, '-p', folder], { stdio: 'ignore' })
    stage.atEnd(() => nginx.kill())
    await sleep(500)
    const rate = async (url: string, headers: Record<string, string>): Promise<number> => {
      const range = { range: `bytes=${50 * MIB}-${51 * MIB - 1}` }
      const answer = await autocannon({ url, headers: { ...headers, ...range }, connections: 8, duration: 4 })
      return answer.throughput.average / MIB
    }
    const [ours, yardstick]: [number[], number[]] = [[], []]
    for (let round = 0; round < 3; round++) {
      yardstick.push(await rate(`http://127.0.0.1:${port}/${basename(file)}`, {}))
      ours.push(await rate(`${stage.siarin.url}/fitur/video/${filename}`, stage.headers))
    }
    return { ours: median(ours), yardstick: median(yardstick) }
  },
}
