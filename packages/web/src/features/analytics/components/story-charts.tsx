import type { BroadcastStory, StoryStream } from '@siarin/contracts/analytics'
import { useMemo } from 'react'
import { PlatformMark } from '../../../components/platform-mark.tsx'
import { formatBitrate, formatInstant } from '../../../lib/format.ts'
import { targetWords } from '../analytics-words.ts'
import { ChartFrame, type TableRow } from '../chart/chart-frame.tsx'
import { TimeChart } from '../chart/time-chart.tsx'
import { pointWords } from '../chart/time-points.ts'
import { pointsOf, thinned } from '../series-points.ts'
import { marksOf, type StoryLine, spanOf, streamWords } from '../story-lines.ts'

const ONE_HEIGHT = 240
const OF_SEVERAL_HEIGHT = 140
const MOST_ROWS = 120
const LEAST_KBPS = 200

/** The bitrate of each target over the same time. */
function tableOf(streams: readonly StoryStream[]): TableRow[] {
  return streams.flatMap((stream) =>
    thinned(pointsOf(stream.series, stream.runs), Math.ceil(MOST_ROWS / streams.length)).map(({ at, value }) => ({
      key: `${stream.streamId} ${at}`,
      cells: [formatInstant(new Date(at).toISOString()), targetWords(stream), pointWords({ value }, formatBitrate)],
    })),
  )
}

interface StreamChartProps {
  stream: StoryStream
  lines: readonly StoryLine[]
  span: { from: number; to: number }
  /** It is the only one. */
  alone: boolean
}

function StreamChart({ stream, lines, span, alone }: StreamChartProps) {
  const points = useMemo(() => pointsOf(stream.series, stream.runs), [stream.series, stream.runs])
  const marks = useMemo(() => marksOf(lines, stream.streamId), [lines, stream.streamId])
  return (
    <div className="min-w-0">
      <p className="mb-1 flex min-w-0 items-center gap-1.5 text-xs">
        <PlatformMark platform={stream.platform} className="size-3.5" />
        <bdi className="truncate font-semibold">{targetWords(stream)}</bdi>
        <span className="truncate text-ink-soft tabular-nums">{streamWords(stream)}</span>
      </p>
      <TimeChart
        label={`Bitrate ke ${targetWords(stream)}: ${streamWords(stream)}`}
        points={points}
        from={span.from}
        to={span.to}
        format={formatBitrate}
        height={alone ? ONE_HEIGHT : OF_SEVERAL_HEIGHT}
        least={LEAST_KBPS}
        marks={marks}
      />
    </div>
  )
}

/** One time line for all targets: their charts lie above each other, with the same time from left to right. */
export function StoryCharts({ story, lines }: { story: BroadcastStory; lines: readonly StoryLine[] }) {
  const { from, to } = story
  const span = useMemo(() => spanOf({ from, to }), [from, to])
  const rows = useMemo(() => tableOf(story.streams), [story.streams])
  return (
    <ChartFrame
      title="Bitrate"
      lead="Garis kuning di sumbu adalah gangguan; sentuh untuk membaca sebabnya."
      columns={['Waktu', 'Tujuan', 'Bitrate']}
      rows={rows}
    >
      <div className="grid grid-cols-1 gap-4">
        {story.streams.map((stream) => (
          <StreamChart
            key={stream.streamId}
            stream={stream}
            lines={lines}
            span={span}
            alone={story.streams.length === 1}
          />
        ))}
      </div>
    </ChartFrame>
  )
}
