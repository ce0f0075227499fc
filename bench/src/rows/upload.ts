import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { residentBytes } from '@siarin/testkit/processes'
import { paddedVideo } from '../large-files.ts'
import { median, type Row, shared } from '../row.ts'
import { sendFile } from '../send-file.ts'
import { setStage } from '../stage.ts'

const SIZE = 2 * 1024 ** 3
const ROUNDS = 3
const MIB = 1024 ** 2

async function throughput(send: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await send()
  return SIZE / MIB / ((performance.now() - startedAt) / 1000)
}

async function measureUploads() {
  await using stage = await setStage({ env: { STORAGE_LIMIT_GB: '100' } })
  const { folder, siarin, headers } = stage
  const file = await paddedVideo(folder, SIZE)
  const plain = createServer(async (incoming, response) => {
    await pipeline(incoming, createWriteStream(join(folder, 'plain')))
    response.end('ok')
  }).listen(0, '127.0.0.1')
  stage.atEnd(() => plain.close())
  await once(plain, 'listening')
  const plainUrl = `http://127.0.0.1:${(plain.address() as AddressInfo).port}`

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
  const watched = async (send: () => Promise<unknown>): Promise<void> => {
    const before = await residentBytes(siarin.pid)
    const watch = setInterval(async () => {
      growth = Math.max(growth, (await residentBytes(siarin.pid)) - before)
    }, 50)
    await send()
    clearInterval(watch)
  }
  for (let round = 0; round < ROUNDS; round++) {
    figures.plain.push(await throughput(() => sendFile(plainUrl, file, { method: 'PUT', headers: {} })))
    figures.form.push(await throughput(() => watched(() => stage.upload(file))))
    figures.tus.push(await throughput(() => watched(byTus)))
  }
  return {
    form: median(figures.form),
    tus: median(figures.tus),
    plain: median(figures.plain),
    growth: growth / MIB,
  }
}

const measured = shared(measureUploads)
const yardstick = 'plain Node pipe to disk'

export const uploadRows: readonly Row[] = [
  {
    name: 'upload: 2 GiB by the specified call',
    unit: 'MiB/s',
    yardstick,
    wanted: { ratioAtLeast: 0.8 },
    measure: async () => ({ ours: (await measured()).form, yardstick: (await measured()).plain }),
  },
  {
    name: 'upload: 2 GiB, resumable',
    unit: 'MiB/s',
    yardstick,
    wanted: { ratioAtLeast: 0.5 },
    measure: async () => ({ ours: (await measured()).tus, yardstick: (await measured()).plain }),
  },
  {
    name: 'upload: growth of memory during one, the largest',
    unit: 'MiB',
    yardstick: 'what it may take',
    wanted: { ratioAtMost: 1 },
    measure: async () => ({ ours: (await measured()).growth, yardstick: 80 }),
  },
]
