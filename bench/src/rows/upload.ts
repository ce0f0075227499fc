import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { cpuSeconds, residentBytes } from '@siarin/testkit/processes'
import { paddedVideo } from '../large-files.ts'
import { median, type Row, shared } from '../row.ts'
import { run } from '../run.ts'
import { sendFile } from '../send-file.ts'
import { type Stage, setStage } from '../stage.ts'

const GIB = 1024 ** 3
const ROUNDS = 3

interface Cost {
  readonly seconds: number
  /** The seconds of the receiving program, per GiB. */
  readonly cpu: number
}

const medianOf = (costs: readonly Cost[]): Cost => ({
  seconds: median(costs.map(({ seconds }) => seconds)),
  cpu: median(costs.map(({ cpu }) => cpu)),
})

async function startPlainPipe(stage: Stage): Promise<{ pid: number; url: string }> {
  const child = spawn(process.execPath, [join(import.meta.dirname, '..', 'plain-pipe.ts'), stage.folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  stage.atEnd(() => child.kill())
  const [port] = await once(child.stdout, 'data')
  if (!child.pid) throw new Error('the plain pipe did not start')
  return { pid: child.pid, url: `http://127.0.0.1:${String(port).trim()}` }
}

async function sendByTus({ siarin, headers }: Stage, file: string, size: number): Promise<void> {
  const tus = { ...headers, 'tus-resumable': '1.0.0' }
  const metadata = `filename ${Buffer.from('tus.mp4').toString('base64')}`
  const created = await fetch(`${siarin.url}/fitur/video/tus`, {
    method: 'POST',
    headers: { ...tus, 'upload-length': String(size), 'upload-metadata': metadata },
  })
  await sendFile(siarin.url + created.headers.get('location'), file, {
    method: 'PATCH',
    headers: { ...tus, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' },
  })
}

/** What is prepared in the background would be measured with the next one. */
async function untilIdle({ siarin, headers, untilReady }: Stage): Promise<void> {
  const answer = await fetch(`${siarin.url}/fitur/video`, { headers })
  const { data } = (await answer.json()) as { data: { filename: string }[] }
  for (const { filename } of data) {
    await untilReady(filename, 100)
    await fetch(`${siarin.url}/fitur/video/delete/${encodeURIComponent(filename)}`, { method: 'DELETE', headers })
  }
}

interface Plan {
  readonly sizeBytes: number
  /** Whether the pipe answers once the file would outlive a power cut, as Siarin does. */
  readonly keeps: boolean
}

async function measureUploads({ sizeBytes, keeps }: Plan) {
  await using stage = await setStage({ env: { STORAGE_LIMIT_GB: '100' } })
  const { siarin } = stage
  const plain = await startPlainPipe(stage)
  const file = await paddedVideo(stage.folder, sizeBytes)
  let growth = 0

  async function cost(pid: number, send: () => Promise<unknown>): Promise<Cost> {
    const [cpuBefore, startedAt] = [await cpuSeconds(pid), performance.now()]
    await send()
    const seconds = (performance.now() - startedAt) / 1000
    return { seconds, cpu: ((await cpuSeconds(pid)) - cpuBefore) / (sizeBytes / GIB) }
  }
  async function costOfOurs(send: () => Promise<unknown>): Promise<Cost> {
    const before = await residentBytes(siarin.pid)
    const watch = setInterval(async () => {
      growth = Math.max(growth, (await residentBytes(siarin.pid)) - before)
    }, 50)
    const ours = await cost(siarin.pid, send).finally(() => clearInterval(watch))
    await untilIdle(stage)
    return ours
  }
  const pipe = (path: string) => sendFile(plain.url + path, file, { method: 'PUT', headers: {} })

  const costs = { pipe: [] as Cost[], form: [] as Cost[], tus: [] as Cost[] }
  for (let round = 0; round < ROUNDS; round++) {
    costs.pipe.push(await cost(plain.pid, () => pipe(keeps ? '/kept' : '/')))
    // What the pipe left to the system would be written during the next.
    if (!keeps) await run('sync', ['-f', file])
    costs.form.push(await costOfOurs(() => stage.upload(file)))
    costs.tus.push(await costOfOurs(() => sendByTus(stage, file, sizeBytes)))
  }
  return {
    pipe: medianOf(costs.pipe),
    form: medianOf(costs.form),
    tus: medianOf(costs.tus),
    growth: growth / 1e6,
  }
}

type Measured = Awaited<ReturnType<typeof measureUploads>>
const ofOneGib = shared(() => measureUploads({ sizeBytes: GIB, keeps: true }))
const ofTwoGib = shared(() => measureUploads({ sizeBytes: 2 * GIB, keeps: false }))

/** The bounds in seconds: the pipe keeps what Siarin keeps, so that a slow disk is slow for both. */
const kept = 'plain Node pipe to disk, with fsync'

function ofOne(of: 'form' | 'tus', figure: keyof Cost): () => Promise<{ ours: number; yardstick: number }> {
  return async () => {
    const measured: Measured = await ofOneGib()
    return { ours: measured[of][figure], yardstick: measured.pipe[figure] }
  }
}

export const uploadRows: readonly Row[] = [
  {
    name: 'upload: 1 GiB by the specified call',
    unit: 's',
    yardstick: kept,
    wanted: { ratioAtMost: 1.25 },
    measure: ofOne('form', 'seconds'),
  },
  {
    name: 'upload: 1 GiB, resumable',
    unit: 's',
    yardstick: kept,
    wanted: { ratioAtMost: 1.4 },
    measure: ofOne('tus', 'seconds'),
  },
  {
    name: 'upload: CPU of 1 GiB by the specified call',
    unit: 's',
    yardstick: kept,
    wanted: { ratioAtMost: 1.5 },
    measure: ofOne('form', 'cpu'),
  },
  {
    name: 'upload: CPU of 1 GiB, resumable',
    unit: 's',
    yardstick: kept,
    wanted: { ratioAtMost: 1.5 },
    measure: ofOne('tus', 'cpu'),
  },
  {
    name: 'upload: 2 GiB by the specified call',
    unit: 'MiB/s',
    yardstick: 'plain Node pipe to disk, without fsync',
    wanted: { ratioAtLeast: 0.8 },
    async measure() {
      const { form, pipe } = await ofTwoGib()
      return { ours: 2048 / form.seconds, yardstick: 2048 / pipe.seconds }
    },
  },
  {
    name: 'upload: growth of memory during one, the largest',
    unit: 'MB',
    yardstick: 'what it may take',
    wanted: { ratioAtMost: 1 },
    measure: async () => ({ ours: Math.max((await ofOneGib()).growth, (await ofTwoGib()).growth), yardstick: 60 }),
  },
]
