import { Readable } from 'node:stream'
import type { AnalyticsCsvQuery } from '@siarin/contracts/analytics-queries'
import { ANALYTICS_TEXTS } from '@siarin/contracts/analytics-texts'
import { PLATFORM_FACTS, type Platform } from '@siarin/contracts/platforms'
import { DomainError } from '../../errors.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Caller } from '../identity/caller.ts'
import type { Access, Range } from './access.ts'
import { createIdSet } from './id-set.ts'
import { iso, isoOrNull } from './iso.ts'
import type { LivesReads } from './lives.reads.ts'
import type { Overview } from './overview.ts'
import { SPAN_COUNTED } from './span-sums.ts'
import { sharesOf } from './summarize.ts'
import type { Place, ToldSpan, ToldStream } from './told-lives.ts'
import { byNumber, incidentsOf } from './views.ts'
import { wholeLives } from './whole-lives.ts'

interface CsvDeps {
  readonly access: Access
  readonly reads: LivesReads
  readonly overview: Pick<Overview, 'tallyOf'>
  readonly clock: Clock
}

type Cell = string | number | null

/** To write a line takes as long as to read some rows. */
const LINES_AT_ONCE = 200

/** Spreadsheets take text for UTF-8 only where this stands before it. */
const BOM = '\uFEFF'

/** A spreadsheet would carry out what begins like a formula, and titles come from anybody who can name one. */
const asText = (text: string): string =>
  (/^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text)
    // Where numbers have commas, a spreadsheet takes this for the end of a cell.
    .replace(/([;\t]\s*)(?=[=+\-@])/g, "$1'")

export function csvLine(cells: readonly Cell[]): string {
  const written = cells.map((cell) => {
    if (cell === null) return ''
    if (typeof cell === 'number') return String(cell)
    const text = asText(cell)
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
  })
  return `${written.join(',')}\r\n`
}

const HEADS = {
  days: ['date', 'platform', 'on_air_seconds', 'wanted_seconds', 'on_air_percent', 'incidents'],
  broadcasts: [
    ...['broadcast_id', 'stream_id', 'title', 'platform', 'target', 'started_at', 'first_live_at', 'ended_at', 'ended'],
    ...['on_air_seconds', 'wanted_seconds', 'on_air_percent', 'incidents'],
  ],
  incidents: [
    ...['incident_id', 'broadcast_id', 'stream_id', 'title', 'platform', 'target', 'kind', 'started_at', 'ended_at'],
    ...['seconds', 'reason_code', 'reason', 'planned', 'outcome', 'count'],
  ],
} as const

const FILE_WORDS: Record<AnalyticsCsvQuery['kind'], string> = {
  days: 'hari',
  broadcasts: 'siaran',
  incidents: 'gangguan',
}

/** As people know it. */
const labelOf = (platform: Platform): string => PLATFORM_FACTS[platform].label

/** A table of a year takes long, also for the one who waits for it. */
const TABLES_AT_ONCE = 3
const COME_BACK_AFTER_SECONDS = 5

/** The place of a call is given back before its answer is written: these are held until then. */
function createPlaces() {
  const taken = new Map<string, number>()
  return (workspaceId: string): (() => void) => {
    const count = taken.get(workspaceId) ?? 0
    if (count >= TABLES_AT_ONCE) {
      throw new DomainError('rate_limited', ANALYTICS_TEXTS.tablesAtOnce, {
        retryAfterSeconds: COME_BACK_AFTER_SECONDS,
      })
    }
    taken.set(workspaceId, count + 1)
    return () => {
      const left = (taken.get(workspaceId) ?? 1) - 1
      if (left > 0) taken.set(workspaceId, left)
      else taken.delete(workspaceId)
    }
  }
}

/** Figures as a table for spreadsheets. What may refuse it comes before its first line. It is read in pages while it is sent. */
export function createCsv({ access, reads, overview, clock }: CsvDeps) {
  const takePlace = createPlaces()

  async function* days(workspaceId: string, range: Range) {
    const { days: all } = await overview.tallyOf(workspaceId, range)
    const lines = all.flatMap((day) =>
      day.platforms.map(({ platform, onAirSeconds, wantedSeconds, onAirPercent, incidents }) =>
        csvLine([day.date, labelOf(platform), onAirSeconds, wantedSeconds, onAirPercent, incidents]),
      ),
    )
    yield lines.join('')
  }

  async function* broadcasts(workspaceId: string, range: Range) {
    const now = clock.now()
    for await (const streams of reads.whole(workspaceId, range)) {
      const lines = (await wholeLives(reads, workspaceId, streams, now)).map((stream) => {
        const { broadcastId, streamId, title, platform, targetName, askedAt, firstLiveAt, endedAt } = stream
        const shares = sharesOf(stream, now)
        return csvLine([
          ...[broadcastId, streamId, title, labelOf(platform), targetName, iso(askedAt), isoOrNull(firstLiveAt)],
          ...[isoOrNull(endedAt), stream.endReason, shares.onAirSeconds, shares.wantedSeconds, shares.onAirPercent],
          shares.incidents,
        ])
      })
      yield lines.join('')
    }
  }

  async function* incidents(workspaceId: string, range: Range) {
    /** What is counted while the table is written would be found among the others once more. */
    const told = createIdSet()
    for await (const streams of reads.whole(workspaceId, range)) {
      const byNo = byNumber(streams)
      for await (const spans of reads.raw(workspaceId, [...byNo.keys()], range)) {
        for (const { id, isRun, counted } of spans) if (!isRun && counted === SPAN_COUNTED.no) told.add(id)
        yield lines(byNo, spans)
      }
    }
    for (let after: Place | null = null; ; ) {
      const spans: ToldSpan[] = await reads.incidents(workspaceId, range, after, LINES_AT_ONCE)
      const numbers = spans.map(({ streamNo }) => streamNo)
      const untold = spans.filter(({ id }) => !told.has(id))
      yield lines(await reads.numbered(workspaceId, numbers), untold)
      const last = spans.at(-1)
      if (!last || spans.length < LINES_AT_ONCE) return
      after = { at: last.beganAt, id: last.id }
    }
  }

  function lines(streams: ReadonlyMap<number, ToldStream>, spans: readonly ToldSpan[]): string {
    const written = incidentsOf(streams, spans, clock.now()).map((one) =>
      csvLine([
        ...[one.incidentId, one.broadcastId, one.streamId, one.title, labelOf(one.platform), one.targetName, one.kind],
        ...[one.startedAt, one.endedAt, one.seconds, one.reasonCode, one.reason],
        ...[one.planned ? 'yes' : 'no', one.outcome, one.count ?? 1],
      ]),
    )
    return written.join('')
  }

  const linesOf = { days, broadcasts, incidents } satisfies Record<AnalyticsCsvQuery['kind'], unknown>

  return async (caller: Caller, query: AnalyticsCsvQuery) => {
    const { workspaceId } = caller
    const { kind } = query
    const range = access.rangeOf(await access.assertHas(caller, 'csv'), query)
    const giveBack = takePlace(workspaceId)
    async function* all(): AsyncGenerator<string> {
      yield BOM + csvLine(HEADS[kind])
      // A stream takes no empty text.
      for await (const some of linesOf[kind](workspaceId, range)) if (some) yield some
    }
    const body = Readable.from(all()).once('close', giveBack)
    return { name: `analitik-${FILE_WORDS[kind]}-${range.from}-${range.to}.csv`, body }
  }
}
