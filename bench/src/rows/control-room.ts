import { openAsBlob } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from '@playwright/test'
import { makeClip } from '@siarin/testkit/clips'
import { waitFor } from '@siarin/testkit/wait-for'
import { buildPage, startChromium } from '../chromium.ts'
import { newPerson, type Person } from '../person.ts'
import { type Measured, median, type Row } from '../row.ts'
import { simulateStreams } from '../simulated-streams.ts'
import { type Stage, setStage } from '../stage.ts'

const FEW = 10
const MANY = 100
const WARM_UPS = 2
const ROUNDS = 9
const VIEWPORT = { width: 1366, height: 768 }

/** Watches the page from its first byte on, until the frame that shows every row. The text of a script, since it runs in the browser. */
const watchRows = (count: number): string => `
window.roomPaintedAt = new Promise((resolve) => {
  const watch = new MutationObserver(() => {
    if (document.querySelectorAll('[data-testid="room-row"]').length < ${count}) return
    watch.disconnect()
    requestAnimationFrame(() => setTimeout(() => resolve(performance.now())))
  })
  watch.observe(document, { childList: true, subtree: true })
})`

/** Somebody with so many broadcasts on air. */
async function newBroadcaster({ siarin, folder }: Stage, count: number): Promise<Person> {
  const person = await newPerson(siarin.url)
  const { apiKey } = person.user
  const call = async <T>(path: string, body?: string | FormData): Promise<T> => {
    const headers = { 'x-api-key': apiKey, ...(typeof body === 'string' && { 'content-type': 'application/json' }) }
    const answer = await fetch(siarin.url + path, { headers, ...(body && { method: 'POST', body }) })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as T
  }
  const clip = join(folder, 'klip.mp4')
  await makeClip(clip)
  const form = new FormData()
  form.append('video', await openAsBlob(clip, { type: 'video/mp4' }), 'klip.mp4')
  await call('/fitur/video/upload', form)
  await waitFor('the video to be ready', async () => {
    const { data } = await call<{ data: { status: string }[] }>('/fitur/video')
    return data.every(({ status }) => status === 'ready')
  })
  const what = { source: 'klip.mp4', platform: 'lain', looping: true }
  for (let index = 0; index < count; index++) {
    const rtmpStream = `rtmp://127.0.0.1:1/live/${apiKey.slice(-8)}${index}`
    await call('/fitur/steam/start', JSON.stringify({ ...what, title: `Siaran ${index + 1}`, rtmpStream }))
  }
  await waitFor(
    'all streams to be live',
    async () => {
      const { streams } = await call<{ streams: { state: string }[] }>('/fitur/steam/active')
      return streams.filter(({ state }) => state === 'live').length === count
    },
    { timeoutMs: 120_000, everyMs: 500 },
  )
  return person
}

async function openPage(browser: Browser, { token, user }: Person, count: number): Promise<Page> {
  const context = await browser.newContext({ viewport: VIEWPORT, locale: 'id-ID', timezoneId: 'Asia/Jakarta' })
  const page = await context.newPage()
  const stored = JSON.stringify([
    ['token', token],
    ['user', JSON.stringify(user)],
  ])
  await page.addInitScript(`for (const [key, value] of ${stored}) localStorage.setItem(key, value)`)
  await page.addInitScript(watchRows(count))
  return page
}

/** Milliseconds from the call of the address. */
async function paint(page: Page, { siarin }: Stage): Promise<number> {
  await page.goto(`${siarin.url}/fitur/siaran`)
  return page.evaluate<number>('window.roomPaintedAt')
}

async function measureRoom(): Promise<Measured> {
  await buildPage()
  await using simulated = await simulateStreams()
  const env = { FFMPEG_PATH: simulated.ffmpegPath, LOG_LEVEL: 'warn', KEEP_STREAMS_ON_EXIT: 'true' }
  await using stage = await setStage({ env: { ...env, MAX_STREAMS_PER_WORKER: String(FEW + MANY) } })
  const people = { few: await newBroadcaster(stage, FEW), many: await newBroadcaster(stage, MANY) }
  const browser = await startChromium()
  stage.atEnd(() => browser.close())
  const few = await openPage(browser, people.few, FEW)
  const many = await openPage(browser, people.many, MANY)
  const runs = { ours: [] as number[], yardstick: [] as number[] }
  // In turns, so that both meet the same noise.
  for (let round = -WARM_UPS; round < ROUNDS; round++) {
    const yardstick = await paint(few, stage)
    const ours = await paint(many, stage)
    if (round < 0) continue
    runs.yardstick.push(yardstick)
    runs.ours.push(ours)
  }
  return { ours: median(runs.ours), yardstick: median(runs.yardstick) }
}

export const controlRoom: Row = {
  name: `page: control room with ${MANY} streams in Chromium, until every row is painted`,
  unit: 'ms',
  yardstick: `the same with ${FEW}`,
  wanted: { ratioAtMost: 1.5 },
  measure: measureRoom,
}
