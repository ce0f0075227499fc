import type { LiveFigures, Series } from '@siarin/contracts/analytics'

export type LiveStream = LiveFigures['streams'][number]

/** How far back the small charts look. */
export const LIVE_WINDOW_SECONDS = 600

const COLUMNS = [
  'at',
  'bitrateKbps',
  'bitrateMinKbps',
  'bitrateMaxKbps',
  'fps',
  'speed',
  'unsentKb',
  'onAirPercent',
] as const

/** Both, each time once: the server may tell a point again after the line broke. */
function joined(known: Series, told: Series, oldest: number): Series {
  const firstTold = told.at[0] ?? Number.POSITIVE_INFINITY
  const keptFrom = known.at.findIndex((at) => at >= oldest)
  const keptTo = known.at.findIndex((at) => at >= firstTold)
  const kept = <T>(column: readonly T[]): T[] =>
    keptFrom < 0 ? [] : column.slice(keptFrom, keptTo < 0 ? undefined : keptTo)
  const columns = COLUMNS.map((name) => [name, [...kept<number | null>(known[name]), ...told[name]]])
  return { ...told, ...Object.fromEntries(columns) }
}

/** What is shown after an event: the streams that it names, each with what was known of it and what is new. */
export function nextFigures(known: LiveFigures | null, told: LiveFigures): LiveFigures {
  const oldest = Math.floor(Date.parse(told.at) / 1000) - LIVE_WINDOW_SECONDS
  const before = new Map(known?.streams.map((stream) => [stream.streamId, stream]))
  return {
    at: told.at,
    streams: told.streams.map((stream) => {
      const own = before.get(stream.streamId)
      return own ? { ...stream, series: joined(own.series, stream.series, oldest) } : stream
    }),
  }
}
