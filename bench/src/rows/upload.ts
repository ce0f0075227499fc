import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { startSiarin } from '@siarin/testkit/siarin-server'
import { tempDir } from '@siarin/testkit/temp-dir'
import { paddedVideo } from '../large-files.ts'
import { newApiKey } from '../person.ts'
import { median, type Row } from '../row.ts'
import { multipart, sendFile } from '../send-file.ts'

const SIZE = 2 * 1024 ** 3
const ROUNDS = 3
const MIB = 1024 ** 2

async function residentMiB(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024
}

async function throughput(send: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await send()
  return SIZE / MIB / ((performance.now() - startedAt) / 1000)
}

async function measureUploads() {
  const folder = await tempDir('bench-upload')
  const file = await paddedVideo(folder.path, SIZE)
  const siarin = await startSiarin({ env: { STORAGE_LIMIT_GB: '100' } })
  const plain = createServer(async (incoming, response) => {
    await pipeline(incoming, createWriteStream(join(folder.path, 'plain')))
    response.end('ok')
  }).listen(0, '127.0.0.1')
  await once(plain, 'listening')
  const plainUrl = `http://127.0.0.1:${(plain.address() as AddressInfo).port}`
  const headers = { 'x-api-key': await newApiKey(siarin.url) }

  const byForm = async () => {
    const form = multipart('----bench', 'padded.mp4')
    await sendFile(`${siarin.url}/fitur/video/upload`, file, {
      method: 'POST',
      headers: { ...headers, ...form.headers },
      frame: form.frame,
    })
  }
  const byTus = async () => {
    const tus = { ...headers, 'tus-resumable': '1.0.0' }
    const metadata = `filename ${Buffer.from('padded.mp4').toString('base64')}`
    const created = await fetch(`${siarin.url}/fitur/video/tus`, {
      method: 'POST',
      headers: { ...tus, 'upload-length': String(SIZE), 'upload-metadata': metadata },
    })
    await sendFile(siarin.url + created.headers.get('location'), file, {
      method: 'PATCH',
      headers: { ...tus, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' },
    })
  }

  const figures = { form: [] as number[], tus: [] as number[], plain: [] as number[] }
  let growth = 0
  const watched = async (send: () => Promise<void>): Promise<void> => {
    const before = await residentMiB(siarin.pid)
    const watch = setInterval(async () => {
      growth = Math.max(growth, (await residentMiB(siarin.pid)) - before)
    }, 50)
    await send()
    clearInterval(watch)
  }
  for (let round = 0; round < ROUNDS; round++) {
    figures.plain.push(await throughput(() => sendFile(plainUrl, file, { method: 'PUT', headers: {} })))
    figures.form.push(await throughput(() => watched(byForm)))
    figures.tus.push(await throughput(() => watched(byTus)))
  }
  plain.close()
  await siarin.dispose()
  await folder.remove()
  return {
    form: median(figures.form),
    tus: median(figures.tus),
    plain: median(figures.plain),
    growth,
  }
}

/** One run feeds three rows. */
function shared<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null
  return () => {
    made ??= make()
    return made
  }
}
const measured = shared(measureUploads)
const yardstick = 'plain Node pipe to disk'

export const uploadRows: readonly Row[] = [
  {
    name: 'upload: 2 GiB by the specified call',
    unit: 'MiB/s',
    yardstick,
    wanted: { atLeast: 0.8 },
    measure: async () => ({ ours: (await measured()).form, yardstick: (await measured()).plain }),
  },
  {
    name: 'upload: 2 GiB, resumable',
    unit: 'MiB/s',
    yardstick,
    wanted: { atLeast: 0.5 },
    measure: async () => ({ ours: (await measured()).tus, yardstick: (await measured()).plain }),
  },
  {
    name: 'upload: growth of memory during one, the largest',
    unit: 'MiB',
    yardstick: 'what it may take',
    wanted: { atMost: 1 },
    measure: async () => ({ ours: (await measured()).growth, yardstick: 80 }),
  },
]
