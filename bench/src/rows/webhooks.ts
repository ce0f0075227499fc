import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { makeClip } from '@siarin/testkit/clips'
import { waitFor } from '@siarin/testkit/wait-for'
import { newApiKey } from '../person.ts'
import { median, type Row } from '../row.ts'
import { run } from '../run.ts'
import { type Stage, setStage } from '../stage.ts'

const EVENTS = 3_000
/** As many as Siarin sends at once, which takes several people. */
const AT_ONCE = 20
const PEOPLE = 3
const ENDPOINTS_EACH = 2
const WAITING = 10_000
const ROUNDS = 7

/** Takes everything at once, and counts. */
async function startReceiver(stage: Stage) {
  let count = 0
  let body = ''
  let firstAt = 0
  let lastAt = 0
  const server = createServer((request, response) => {
    let text = ''
    request.setEncoding('utf8').on('data', (piece) => {
      text += piece
    })
    request.once('end', () => {
      body = text
      lastAt = performance.now()
      if (count === 0) firstAt = lastAt
      count += 1
      response.writeHead(204).end()
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  stage.atEnd(() => {
    server.close()
    server.closeAllConnections()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    body: () => body,
    count: () => count,
    seconds: () => (lastAt - firstAt) / 1000,
  }
}

async function addWebhook({ siarin }: Stage, apiKey: string, url: string): Promise<void> {
  const answer = await fetch(`${siarin.url}/fitur/webhook`, {
    method: 'POST',
    headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ url, events: ['stream.live', 'video.ready'] }),
  })
  if (!answer.ok) throw new Error(`a webhook was refused: ${await answer.text()}`)
}

/** As if so much had happened at once, to everybody who listens. */
function tell({ siarin }: Stage, eachUser: number): void {
  const db = new DatabaseSync(join(siarin.dataDir, 'siarin.db'), { timeout: 10_000 })
  const users = db.prepare('select distinct user_id as id from webhook_endpoints').all() as { id: string }[]
  const insert = db.prepare(
    `insert into outbox (at, user_id, subject_kind, subject_id, fact, payload) values (?, ?, 'stream', ?, 'stream.live', '{}')`,
  )
  db.exec('begin immediate')
  for (let turn = 0; turn < eachUser; turn++) for (const { id } of users) insert.run(Date.now(), id, `${id}-${turn}`)
  db.exec('commit')
  db.close()
}

/** Deliveries a second, from the first that arrives to the last. */
async function throughput(): Promise<{ ours: number; yardstick: number }> {
  await using stage = await setStage({ env: { LOG_LEVEL: 'warn' } })
  const receiver = await startReceiver(stage)
  for (let person = 0; person < PEOPLE; person++) {
    const apiKey = await newApiKey(stage.siarin.url)
    for (let count = 0; count < ENDPOINTS_EACH; count++) await addWebhook(stage, apiKey, receiver.url)
  }
  tell(stage, EVENTS / (PEOPLE * ENDPOINTS_EACH))
  await waitFor('every webhook', async () => receiver.count() >= EVENTS, { timeoutMs: 120_000, everyMs: 20 })
  const ours = EVENTS / receiver.seconds()
  const posts = join(import.meta.dirname, '..', 'plain-posts.ts')
  const args = [posts, receiver.url, String(EVENTS), String(AT_ONCE), receiver.body()]
  const { stdout } = await run(process.execPath, args)
  return { ours, yardstick: EVENTS / Number(stdout) }
}

/** From the start call to the publisher, with so many deliveries waiting for a receiver that hangs, and with none. */
async function startLatency(): Promise<{ ours: number; yardstick: number }> {
  await using stage = await setStage()
  const clip = join(stage.folder, 'klip.mp4')
  await makeClip(clip, { seconds: 4 })
  const rtmp = await stage.ingest()
  const filename = await stage.upload(clip)
  await stage.untilReady(filename)
  const measure = async (name: string): Promise<number> => {
    const took: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const key = `${name}${round}`
      const begun = performance.now()
      const streamId = await stage.goLive(filename, `${rtmp.url}/${key}`)
      await rtmp.waitForPublisher(key, { everyMs: 10 })
      took.push(performance.now() - begun)
      await stage.stop(streamId)
      await rtmp.waitForNoPublisher(key)
    }
    return median(took)
  }
  const yardstick = await measure('none')
  const silent = createServer(() => {}).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  stage.atEnd(() => {
    silent.close()
    silent.closeAllConnections()
  })
  await addWebhook(stage, stage.headers['x-api-key'], `http://127.0.0.1:${(silent.address() as AddressInfo).port}/`)
  tell(stage, WAITING)
  await waitFor(`${WAITING} that wait`, async () => (await countWaiting(stage)) >= WAITING, { everyMs: 200 })
  return { ours: await measure('many'), yardstick }
}

async function countWaiting({ siarin, headers }: Stage): Promise<number> {
  const answer = await fetch(`${siarin.url}/fitur/webhook`, { headers })
  const { data } = (await answer.json()) as { data: { waiting: number }[] }
  return data[0]?.waiting ?? 0
}

export const webhookRows: readonly Row[] = [
  {
    name: `webhook: deliveries of ${EVENTS} events, ${AT_ONCE} at once (1,000 a minute are 17 a second)`,
    unit: '/s',
    yardstick: 'undici in a plain loop',
    wanted: { ratioAtLeast: 0.3 },
    measure: throughput,
  },
  {
    name: `webhook: start call to publisher, with ${WAITING} deliveries for a receiver that hangs`,
    unit: 'ms',
    yardstick: 'with none',
    wanted: { moreAtMost: 50 },
    measure: startLatency,
  },
]
