import { fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { p99OfCalls } from '../call-times.ts'
import type { Row } from '../row.ts'
import { type Stage, setStage } from '../stage.ts'

const HOUR_MS = 3_600_000
const DAYS = 30
const STREAMS = 10
/** Each stream has so many: its line is not a good one. */
const INCIDENTS_A_DAY = 6
const CALLS = 300
const WARM_UPS = 30

async function percentOfCore(what: 'samples' | 'none'): Promise<number> {
  const child = fork(join(import.meta.dirname, '..', 'write-samples.ts'), [what])
  const [percent] = (await once(child, 'message')) as [number]
  return percent
}

const cpu: Row = {
  name: 'analytics: CPU of writing samples for 500 streams, with rollups',
  unit: '% of a core',
  yardstick: 'the same streams without',
  wanted: { atMost: 3 },
  measure: async () => ({ ours: await percentOfCore('samples'), yardstick: await percentOfCore('none') }),
}

const MINUTE_MS = 60_000
const SLOT_MS = 5_000
const FIGURES = '(at, stream_no, kbps, kbps_min, kbps_max, unsent_kb, samples, live, measured, fps, speed)'

/** The figures of a stream, as the sampler and its rollups have left them: what is too old of each is gone. */
function fillFigures(db: DatabaseSync, number: number | bigint, start: number, end: number): void {
  const moments = `with recursive moments(at) as (select ? union all select at + 1 from moments where at + 1 < ?)`
  const fill = (sql: string, from: number, stepMs: number) =>
    db.prepare(sql).run(Math.floor(from / stepMs), Math.floor(end / stepMs), number)
  const rollup = (samples: number) => `select at, ?, 2500, 2000, 3000, 4, ${samples}, ${samples}, ${samples}, 300, 1000`
  fill(`insert into stat_hours ${FIGURES} ${moments} ${rollup(720)} from moments`, start, HOUR_MS)
  fill(`insert into stat_minutes ${FIGURES} ${moments} ${rollup(12)} from moments`, start, MINUTE_MS)
  fill(
    `insert into stat_samples (at, stream_no, kbps, unsent_kb, state, fps, speed)
     ${moments} select at, ?, 2500, 4, 2, 300, 1000 from moments`,
    end - 48 * HOUR_MS,
    SLOT_MS,
  )
}

/** One broadcast to ten targets for thirty days, in the rows of a program that runs. Answers its id. */
function fill({ siarin }: Stage, withFigures: boolean): string {
  const db = new DatabaseSync(join(siarin.dataDir, 'siarin.db'))
  db.exec('pragma busy_timeout = 10000')
  const { id: userId } = db.prepare('select id from users limit 1').get() as { id: string }
  const broadcastId = randomUUID()
  const end = Date.now()
  const start = end - (DAYS - 1) * 24 * HOUR_MS
  db.exec('begin immediate')
  for (let stream = 0; stream < STREAMS; stream++) {
    const id = stream === 0 ? broadcastId : randomUUID()
    const inserted = db
      .prepare(
        `insert into stat_streams (stream_id, broadcast_id, user_id, title, platform, asked_at, known_from, first_live_at)
         values (?, ?, ?, 'bench', 'youtube', ?, ?, ?)`,
      )
      .run(id, broadcastId, userId, withFigures ? start : end, withFigures ? start : end, start)
    const number = inserted.lastInsertRowid
    if (!withFigures) continue
    fillFigures(db, number, start, end)
    const span = db.prepare(
      'insert into stat_spans (stream_no, kind, began_at, ended_at, reason, outcome) values (?, ?, ?, ?, ?, ?)',
    )
    const each = (24 * HOUR_MS) / INCIDENTS_A_DAY
    for (let at = start; at + each < end; at += each) {
      span.run(number, 'run', at, at + each - 5_000, null, null)
      span.run(number, 'incident', at + each - 5_000, at + each, 'target-closed', 'recovered')
    }
  }
  // The first hour and minute that are not rolled up yet: what lies before is read from the rollups, the rest is made of what is finer.
  const place = db.prepare('insert or replace into stat_places (name, at) values (?, ?)')
  place.run('hours', Math.floor(end / HOUR_MS))
  place.run('minutes', Math.floor(end / MINUTE_MS))
  db.exec('commit')
  db.close()
  return broadcastId
}

/** Fails where what is measured is not what people see: the chart of each stream, to its end. */
async function assertCharts({ siarin, headers }: Stage, id: string): Promise<void> {
  const answer = await fetch(`${siarin.url}/fitur/analytics/broadcast/${id}`, { headers })
  const { data } = (await answer.json()) as { data: { streams: { series: { at: number[] } }[] } }
  const points = data.streams.map(({ series }) => series.at.length)
  const hours = (DAYS - 1) * 24
  if (points.length !== STREAMS || points.some((count) => count < hours))
    throw new Error(`${points.join(' ')} points in the charts of ${STREAMS} streams, not ${hours} each`)
}

const p99 = ({ siarin, headers }: Stage, paths: readonly string[]): Promise<number> =>
  p99OfCalls({
    ...{ urls: paths.map((path) => `${siarin.url}/fitur/analytics/${path}`), headers },
    ...{ count: CALLS, warmUps: WARM_UPS },
  })

/** The overview of thirty days, and the whole story of a broadcast with the charts of its ten streams. */
async function query(withFigures: boolean): Promise<number> {
  await using stage = await setStage({ env: { LOG_LEVEL: 'warn', ENFORCE_PLANS: 'false' } })
  const id = fill(stage, withFigures)
  if (withFigures) await assertCharts(stage, id)
  const from = new Date(Date.now() - (DAYS - 1) * 24 * HOUR_MS).toISOString().slice(0, 10)
  return await p99(stage, [`summary?from=${from}`, `broadcast/${id}`])
}

export const analyticsRows: readonly Row[] = [
  cpu,
  {
    name: `analytics: a query over ${DAYS} days of ${STREAMS} streams, p99`,
    unit: 'ms',
    yardstick: 'an empty one',
    wanted: { atMost: 50 },
    measure: async () => ({ ours: await query(true), yardstick: await query(false) }),
  },
]
