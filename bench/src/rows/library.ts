import { execFile, spawn } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { makeClip } from '@siarin/testkit/clips'
import { freePort } from '@siarin/testkit/free-port'
import { ffmpegsUnder } from '@siarin/testkit/processes'
import { type Siarin, startSiarin } from '@siarin/testkit/siarin-server'
import { tempDir } from '@siarin/testkit/temp-dir'
import { waitFor } from '@siarin/testkit/wait-for'
import autocannon from 'autocannon'
import { longVideo } from '../large-files.ts'
import { newApiKey } from '../person.ts'
import { median, type Row } from '../row.ts'
import { multipart, sendFile } from '../send-file.ts'

const run = promisify(execFile)
const MIB = 1024 ** 2

async function upload(siarin: Siarin, apiKey: string, file: string): Promise<string> {
  const form = multipart('----bench', basename(file))
  const headers = { 'x-api-key': apiKey, ...form.headers }
  const answer = await sendFile(`${siarin.url}/fitur/video/upload`, file, {
    method: 'POST',
    headers,
    frame: form.frame,
  })
  return JSON.parse(answer).data.filename
}

/** Looking often is precise and costs what is measured: long work is looked at seldom. */
async function untilReady(siarin: Siarin, apiKey: string, filename: string, everyMs = 20): Promise<void> {
  await waitFor(
    `${filename} to be ready`,
    async () => {
      const answer = await fetch(`${siarin.url}/fitur/video`, { headers: { 'x-api-key': apiKey } })
      const { data } = (await answer.json()) as { data: { filename: string; status: string }[] }
      return data.find((video) => video.filename === filename)?.status === 'ready'
    },
    { timeoutMs: 300_000, everyMs },
  )
}

async function took(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

export const timeToReady: Row = {
  name: 'library: from the end of an upload of 1 GiB to ready',
  unit: 'ms',
  yardstick: 'cp of the file',
  wanted: { atMost: 3 },
  async measure() {
    const folder = await tempDir('bench-ready')
    const file = await longVideo(folder.path, 1024 ** 3)
    const siarin = await startSiarin({ env: { STORAGE_LIMIT_GB: '100' } })
    const apiKey = await newApiKey(siarin.url)
    const [ours, yardstick]: [number[], number[]] = [[], []]
    for (let round = 0; round < 3; round++) {
      yardstick.push(await took(() => run('cp', [file, join(folder.path, 'copy')])))
      const filename = await upload(siarin, apiKey, file)
      ours.push(await took(() => untilReady(siarin, apiKey, filename)))
    }
    await siarin.dispose()
    await folder.remove()
    return { ours: median(ours), yardstick: median(yardstick) }
  },
}

export const fullPreparation: Row = {
  name: 'library: speed of a full preparation, from the end of the upload to ready',
  unit: 'per hour',
  yardstick: 'the same ffmpeg command, bare',
  wanted: { atLeast: 0.95 },
  async measure() {
    const folder = await tempDir('bench-prepare')
    const file = join(folder.path, 'asing.mkv')
    await makeClip(file, { seconds: 120, width: 1280, height: 720, videoCodec: 'mpeg4', audioCodec: 'libmp3lame' })
    const siarin = await startSiarin()
    const apiKey = await newApiKey(siarin.url)
    const [ours, yardstick]: [number[], number[]] = [[], []]
    for (let round = 0; round < 3; round++) {
      const filename = await upload(siarin, apiKey, file)
      const startedAt = performance.now()
      const command = await waitFor(
        'the preparation',
        async () => (await ffmpegsUnder(join(siarin.dataDir, 'work')))[0],
      )
      await untilReady(siarin, apiKey, filename, 500)
      ours.push(3_600_000 / (performance.now() - startedAt))
      const output = join(folder.path, 'bare.mp4')
      const args = command.args.slice(1).map((arg, index, all) => {
        // The second upload has another name on disk, and the first may be gone: the bare run reads the source itself.
        if (index === all.length - 1) return output
        return arg.startsWith('file:') && arg.includes('/media/') ? `file:${file}` : arg
      })
      const bare = await took(() => run(command.args[0] ?? 'ffmpeg', args, { maxBuffer: 10 * MIB }))
      yardstick.push(3_600_000 / bare)
    }
    await siarin.dispose()
    await folder.remove()
    return { ours: median(ours), yardstick: median(yardstick) }
  },
}

export const rangedReading: Row = {
  name: 'library: reading ranges of 1 MiB',
  unit: 'MiB/s',
  yardstick: 'nginx',
  wanted: { atLeast: 0.5 },
  async measure() {
    const folder = await tempDir('bench-ranges')
    const file = await longVideo(folder.path, 256 * MIB)
    const siarin = await startSiarin({ env: { LOG_LEVEL: 'warn' } })
    const apiKey = await newApiKey(siarin.url)
    const filename = await upload(siarin, apiKey, file)
    await untilReady(siarin, apiKey, filename)
    const port = await freePort()
    const config = join(folder.path, 'nginx.conf')
    await writeFile(
      config,
      `daemon off; master_process off; worker_processes 1; pid ${folder.path}/pid; error_log ${folder.path}/error;
       events {} http { access_log off; sendfile on; client_body_temp_path ${folder.path}; server { listen 127.0.0.1:${port}; root ${folder.path}; } }`,
    )
    const nginx = spawn('nginx', ['-c', config, '-p', folder.path], { stdio: 'ignore' })
    await sleep(500)
    const rate = async (url: string, headers: Record<string, string>): Promise<number> => {
      const range = { range: `bytes=${50 * MIB}-${51 * MIB - 1}` }
      const answer = await autocannon({ url, headers: { ...headers, ...range }, connections: 8, duration: 4 })
      return answer.throughput.average / MIB
    }
    const [ours, yardstick]: [number[], number[]] = [[], []]
    for (let round = 0; round < 3; round++) {
      yardstick.push(await rate(`http://127.0.0.1:${port}/${basename(file)}`, {}))
      ours.push(await rate(`${siarin.url}/fitur/video/${filename}`, { 'x-api-key': apiKey }))
    }
    nginx.kill()
    await siarin.dispose()
    await folder.remove()
    return { ours: median(ours), yardstick: median(yardstick) }
  },
}
