import { setImmediate as anotherTurn } from 'node:timers/promises'
import type { AnalyticsCsvQuery } from '@siarin/contracts/analytics-queries'
import { PLATFORM_FACTS, type Platform } from '@siarin/contracts/platforms'
import type { Clock } from '../../platform/clock.ts'
import type { Caller } from '../identity/caller.ts'
import type { Access, Range } from './access.ts'
import { iso, isoOrNull } from './iso.ts'
import type { LivesReads } from './lives.reads.ts'
import type { Overview } from './overview.ts'
import { sharesOf } from './summarize.ts'
import { PAGE, type Place, type ToldSpan, type ToldStream } from './told-lives.ts'
import { byNumber, incidentsOf } from './views.ts'

interface CsvDeps {
  readonly access: Access
  readonly reads: LivesReads
  readonly overview: Pick<Overview, 'tallyOf'>
  readonly clock: Clock
}

type Cell = string | number | null

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

/** Figures as a table for spreadsheets. What may refuse it comes before its first line. It is read in pages while it is sent. */
export function createCsv({ access, reads, overview, clock }: CsvDeps) {
  async function* days(workspaceId: string, range: Range) {
    const { days: all } = await overview.tallyOf(workspaceId, range)
    for (const day of all) {
      for (const one of day.platforms) {
        const { platform, onAirSeconds, wantedSeconds, onAirPercent, incidents } = one
        yield csvLine([day.date, labelOf(platform), onAirSeconds, wantedSeconds, onAirPercent, incidents])
      }
    }
  }

  async function* broadcasts(workspaceId: string, range: Range) {
    const now = clock.now()
    for await (const streams of reads.whole(workspaceId, range)) {
      const numbers = streams.map(({ no }) => no)
      const spans: ToldSpan[] = []
      for await (const some of reads.raw(numbers, 0, now + 1)) spans.push(...some)
      const byStream = Map.groupBy(spans, ({ streamNo }) => streamNo)
      for (const stream of streams) {
        const { broadcastId, streamId, title, platform, targetName, askedAt, firstLiveAt, endedAt } = stream
        const shares = sharesOf([stream], byStream.get(stream.no) ?? [], now)
        yield csvLine([
          ...[broadcastId, streamId, title, labelOf(platform), targetName, iso(askedAt), isoOrNull(firstLiveAt)],
          ...[isoOrNull(endedAt), stream.endReason, shares.onAirSeconds, shares.wantedSeconds, shares.onAirPercent],
          shares.incidents,
        ])
      }
    }
  }

  async function* incidents(workspaceId: string, range: Range) {
    for await (const streams of reads.whole(workspaceId, range)) {
      const byNo = byNumber(streams)
      for await (const spans of reads.raw([...byNo.keys()], range.fromMs, range.toMs)) yield* lines(byNo, spans)
    }
    for (let after: Place | null = null; ; ) {
      const spans: ToldSpan[] = await reads.incidents(workspaceId, range, after, PAGE)
      const numbers = spans.map(({ streamNo }) => streamNo)
      yield* lines(await reads.numbered(workspaceId, numbers), spans)
      const last = spans.at(-1)
      if (!last || spans.length < PAGE) return
      after = { at: last.beganAt, id: last.id }
      await anotherTurn()
    }
  }

  function* lines(streams: ReadonlyMap<number, ToldStream>, spans: readonly ToldSpan[]) {
    for (const one of incidentsOf(streams, spans, clock.now())) {
      yield csvLine([
        ...[one.incidentId, one.broadcastId, one.streamId, one.title, labelOf(one.platform), one.targetName, one.kind],
        ...[one.startedAt, one.endedAt, one.seconds, one.reasonCode, one.reason],
        ...[one.planned ? 'yes' : 'no', one.outcome, one.count ?? 1],
      ])
    }
  }

  const linesOf = { days, broadcasts, incidents } satisfies Record<AnalyticsCsvQuery['kind'], unknown>

  return async (caller: Caller, query: AnalyticsCsvQuery) => {
    const { workspaceId } = caller
    const { kind } = query
    const range = access.rangeOf(await access.assertHas(caller, 'csv'), query)
    async function* all(): AsyncGenerator<string> {
      yield BOM + csvLine(HEADS[kind])
      yield* linesOf[kind](workspaceId, range)
    }
    return { name: `analitik-${FILE_WORDS[kind]}-${range.from}-${range.to}.csv`, lines: all() }
  }
}
