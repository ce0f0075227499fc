import type { AnalyticsCsvQuery } from '@siarin/contracts/analytics-queries'
import { PLATFORM_FACTS, type Platform } from '@siarin/contracts/platforms'
import type { Clock } from '../../platform/clock.ts'
import type { Caller } from '../identity/caller.ts'
import type { Access, Range } from './access.ts'
import { iso, isoOrNull } from './iso.ts'
import type { LivesReads, ToldStream } from './lives.reads.ts'
import { sharesOf, summarize } from './summarize.ts'
import { byNumber, incidentsOf } from './views.ts'

interface CsvDeps {
  readonly access: Access
  readonly reads: LivesReads
  readonly clock: Clock
}

type Cell = string | number | null

/** So many streams at once: the file is written while it is read. */
const SLICE = 100
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
    ...['seconds', 'reason_code', 'reason', 'planned', 'outcome'],
  ],
} as const

const FILE_WORDS: Record<AnalyticsCsvQuery['kind'], string> = {
  days: 'hari',
  broadcasts: 'siaran',
  incidents: 'gangguan',
}

/** As people know it. */
const labelOf = (platform: Platform): string => PLATFORM_FACTS[platform].label

/** Figures as a table for spreadsheets. What may refuse it comes before its first line. */
export function createCsv({ access, reads, clock }: CsvDeps) {
  async function* days(streams: readonly ToldStream[], range: Range) {
    const spans = await reads.spans(streams, range.fromMs, range.toMs)
    for (const day of summarize(range.days, streams, spans, clock.now()).days) {
      for (const one of day.platforms) {
        const { platform, onAirSeconds, wantedSeconds, onAirPercent, incidents } = one
        yield csvLine([day.date, labelOf(platform), onAirSeconds, wantedSeconds, onAirPercent, incidents])
      }
    }
  }

  async function* broadcasts(streams: readonly ToldStream[]) {
    const now = clock.now()
    for (let first = 0; first < streams.length; first += SLICE) {
      const slice = streams.slice(first, first + SLICE)
      const spans = Map.groupBy(await reads.spans(slice, 0, now + 1), ({ streamNo }) => streamNo)
      for (const stream of slice) {
        const { broadcastId, streamId, title, platform, targetName, askedAt, firstLiveAt, endedAt } = stream
        const shares = sharesOf([stream], spans.get(stream.no) ?? [], now)
        yield csvLine([
          ...[broadcastId, streamId, title, labelOf(platform), targetName, iso(askedAt), isoOrNull(firstLiveAt)],
          ...[isoOrNull(endedAt), stream.endReason, shares.onAirSeconds, shares.wantedSeconds, shares.onAirPercent],
          shares.incidents,
        ])
      }
    }
  }

  async function* incidents(streams: readonly ToldStream[], { fromMs, toMs }: Range) {
    for (let first = 0; first < streams.length; first += SLICE) {
      const slice = streams.slice(first, first + SLICE)
      const spans = await reads.spans(slice, fromMs, toMs)
      for (const one of incidentsOf(byNumber(slice), spans, clock.now())) {
        yield csvLine([
          ...[
            one.incidentId,
            one.broadcastId,
            one.streamId,
            one.title,
            labelOf(one.platform),
            one.targetName,
            one.kind,
          ],
          ...[one.startedAt, one.endedAt, one.seconds, one.reasonCode, one.reason],
          ...[one.planned ? 'yes' : 'no', one.outcome],
        ])
      }
    }
  }

  return async (caller: Caller, query: AnalyticsCsvQuery) => {
    const { kind } = query
    const range = access.rangeOf(await access.assertHas(caller, 'csv'), query)
    const streams = await reads.between(caller.workspaceId, range.fromMs, range.toMs)
    async function* lines(): AsyncGenerator<string> {
      yield BOM + csvLine(HEADS[kind])
      if (kind === 'days') yield* days(streams, range)
      else if (kind === 'broadcasts') yield* broadcasts(streams)
      else yield* incidents(streams, range)
    }
    return { name: `analitik-${FILE_WORDS[kind]}-${range.from}-${range.to}.csv`, lines: lines() }
  }
}
