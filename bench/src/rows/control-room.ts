import { join } from 'node:path'
import type { Browser, Page } from '@playwright/test'
import { makeClip } from '@siarin/testkit/clips'
import { waitFor } from '@siarin/testkit/wait-for'
import { buildPage, startChromium } from '../chromium.ts'
import { median, type Row, shared } from '../row.ts'
import { simulateStreams } from '../simulated-streams.ts'
import { type Member, type Stage, setStage } from '../stage.ts'

const FEW = 10
const MANY = 100
const WARM_UPS = 2
const ROUNDS = 9
const VIEWPORT = { width: 1366, height: 768 }

interface Painted {
  /** In milliseconds from the call of the address, each after the frame that shows it. */
  readonly first: number
  readonly all: number
}

/** Watches the page from its first byte on. The text of a script, since it runs in the browser. */
const watchRows = (count: number): string => `
window.roomPainted = (() => {
  const rows = () => document.querySelectorAll('[data-testid="room-row"]').length
  const until = (wanted) => new Promise((resolve) => {
    const look = () => {
      if (rows() < wanted) return false
      requestAnimationFrame(() => setTimeout(() => resolve(performance.now())))
      return true
    }
    const watch = new MutationObserver(() => look() && watch.disconnect())
    watch.observe(document, { childList: true, subtree: true })
  })
  return Promise.all([until(1), until(${count})]).then(([first, all]) => ({ first, all }))
})()`

async function startStreams(stage: Stage, member: Member, count: number): Promise<void> {
  const clip = join(stage.folder, 'klip.mp4')
  await makeClip(clip)
  const filename = await member.upload(clip)
  await member.untilReady(filename)
  for (let index = 0; index < count; index++) {
    await member.goLive(filename, `rtmp://127.0.0.1:1/live/${member.person.user.apiKey.slice(-8)}${index}`)
  }
  await waitFor(
    'all streams to be live',
    async () => {
      const answer = await fetch(`${stage.siarin.url}/fitur/steam/active`, { headers: member.headers })
      const { streams } = (await answer.json()) as { streams: { state: string }[] }
      return streams.filter(({ state }) => state === 'live').length === count
    },
    { timeoutMs: 120_000, everyMs: 500 },
  )
}

async function openPage(browser: Browser, { token, user }: Member['person'], count: number): Promise<Page> {
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

async function paint(page: Page, { siarin }: Stage): Promise<Painted> {
  await page.goto(`${siarin.url}/fitur/siaran`)
  return page.evaluate<Painted>('window.roomPainted')
}

async function measureRoom() {
  await buildPage()
  await using simulated = await simulateStreams()
  const env = { FFMPEG_PATH: simulated.ffmpegPath, LOG_LEVEL: 'warn', KEEP_STREAMS_ON_EXIT: 'true' }
  await using stage = await setStage({ env: { ...env, MAX_STREAMS_PER_WORKER: String(FEW + MANY) } })
  const other = await stage.newMember()
  await startStreams(stage, stage, FEW)
  await startStreams(stage, other, MANY)
  const browser = await startChromium()
  stage.atEnd(() => browser.close())
  const few = await openPage(browser, stage.person, FEW)
  const many = await openPage(browser, other.person, MANY)
  const runs = { ours: [] as Painted[], yardstick: [] as Painted[] }
  // In turns, so that both meet the same noise.
  for (let round = -WARM_UPS; round < ROUNDS; round++) {
    const yardstick = await paint(few, stage)
    const ours = await paint(many, stage)
    if (round < 0) continue
    runs.yardstick.push(yardstick)
    runs.ours.push(ours)
  }
  return (of: keyof Painted) => ({
    ours: median(runs.ours.map((run) => run[of])),
    yardstick: median(runs.yardstick.map((run) => run[of])),
  })
}

const measured = shared(measureRoom)
const yardstick = `the same with ${FEW}`

export const controlRoom: readonly Row[] = [
  {
    name: `page: control room with ${MANY} streams in Chromium, until the rows in sight are painted`,
    unit: 'ms',
    yardstick,
    wanted: { ratioAtMost: 1.5 },
    measure: async () => (await measured())('first'),
  },
  {
    name: `page: control room with ${MANY} streams in Chromium, until every row is painted`,
    unit: 'ms',
    yardstick,
    wanted: { ratioAtMost: 1.5 },
    measure: async () => (await measured())('all'),
  },
]
