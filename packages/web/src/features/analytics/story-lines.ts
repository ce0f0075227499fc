import type { BroadcastStory, Incident, StoryEvent, StoryStream } from '@siarin/contracts/analytics'
import type { ChartMark } from '../../components/mark-groups.ts'
import { formatSpan } from '../../lib/format.ts'
import { incidentWords } from '../broadcasts/stream-words.ts'
import { targetWords } from './analytics-words.ts'

/** One thing that happened to a broadcast. */
export interface StoryLine {
  readonly key: string
  readonly at: string
  /** Null: it is about the whole broadcast. */
  readonly streamId: string | null
  readonly tone: ChartMark['tone']
  readonly words: string
  /** Which of several targets; null: there is only one, or it is about all. */
  readonly target: string | null
}

/** The incidents tell these, with how long they lasted. */
const TOLD_BY_INCIDENTS: readonly StoryEvent['kind'][] = ['lost', 'back', 'renewed']

/** What and how long, before the reason: that is a sentence of its own, with what to do. */
function headOf({ planned, outcome, seconds }: Incident): string {
  if (planned) return `Jeda ${formatSpan(seconds)}`
  if (outcome === 'failed') return 'Tidak berhasil tayang'
  if (outcome === 'open') return 'Terputus, masih berlangsung'
  return `Terputus ${formatSpan(seconds)}${outcome === 'ended' ? ' sampai siaran berakhir' : ''}`
}

const incidentLine = (incident: Incident): Omit<StoryLine, 'target'> => ({
  key: incident.incidentId,
  at: incident.startedAt,
  streamId: incident.streamId,
  tone: incident.planned ? 'note' : 'trouble',
  words: `${headOf(incident)}: ${incident.reason}`,
})

function eventLine(event: StoryEvent, stream: StoryStream | undefined): Omit<StoryLine, 'target'> {
  const ended = stream?.ended ?? 'stopped'
  const isTrouble = event.kind === 'passed-over' || (event.kind === 'ended' && ended === 'failed')
  return {
    key: `${event.at} ${event.kind} ${event.streamId}`,
    at: event.at,
    streamId: event.streamId,
    tone: isTrouble ? 'trouble' : 'note',
    words: incidentWords({ ...event, offAirSeconds: null }, ended),
  }
}

/** 'Dimulai oleh jadwal “Kajian subuh”' */
const scheduleLine = ({ schedule }: BroadcastStory): StoryLine[] =>
  schedule
    ? [
        {
          key: `schedule ${schedule.dueAt}`,
          at: schedule.dueAt,
          streamId: null,
          tone: 'note',
          words: `Dimulai oleh jadwal “${schedule.title}”`,
          target: null,
        },
      ]
    : []

/** The whole story, newest first. */
export function storyLines(story: BroadcastStory): StoryLine[] {
  const byId = new Map(story.streams.map((stream) => [stream.streamId, stream]))
  const own = [
    ...story.streams.flatMap(({ incidents }) => incidents.map(incidentLine)),
    ...story.events
      .filter(({ kind }) => !TOLD_BY_INCIDENTS.includes(kind))
      .map((event) => eventLine(event, byId.get(event.streamId))),
  ]
  const named = own.map((line) => {
    const stream = line.streamId === null ? undefined : byId.get(line.streamId)
    return { ...line, target: stream && story.streams.length > 1 ? targetWords(stream) : null }
  })
  return [...named, ...scheduleLine(story)].toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at))
}

/** What stands on the axis of one stream's chart. */
export const marksOf = (lines: readonly StoryLine[], streamId: string): ChartMark[] =>
  lines
    .filter((line) => line.streamId === null || line.streamId === streamId)
    .map(({ at, tone, words }) => ({ at: Date.parse(at), tone, words }))

/** The time line has at least a minute, and while it is live it ends now. */
export function spanOf({ from, to }: Pick<BroadcastStory, 'from' | 'to'>): { from: number; to: number } {
  const begin = Date.parse(from)
  return { from: begin, to: Math.max(Date.parse(to), begin + 60_000) }
}

/** 'Tayang 3 jam 12 menit, gangguan 2 kali' */
export const streamWords = ({ onAirSeconds, incidents }: Pick<StoryStream, 'onAirSeconds' | 'incidents'>): string =>
  onAirSeconds > 0
    ? `tayang ${formatSpan(onAirSeconds)}, ${incidents.filter(({ planned }) => !planned).length} gangguan`
    : 'tidak sempat tayang'
