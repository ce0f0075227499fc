import type { BroadcastStory } from '@siarin/contracts/analytics'
import { formatNumber } from '../../lib/format.ts'
import { type Figure, hoursWords, shareWords } from './analytics-words.ts'

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0)

/** The four numbers of one broadcast; with several targets, of all of them together. */
export function storyFigures({ streams }: Pick<BroadcastStory, 'streams'>): Figure[] {
  const onAir = sum(streams.map(({ onAirSeconds }) => onAirSeconds))
  const wanted = sum(streams.map(({ wantedSeconds }) => wantedSeconds))
  const incidents = sum(streams.map((stream) => stream.incidents.filter(({ planned }) => !planned).length))
  const together = streams.length > 1 ? `${formatNumber(streams.length)} tujuan dijumlahkan` : 'sejak diminta'
  const figure = (name: string, words: string, detail: string): Figure => ({
    name,
    figure: words,
    detail,
    broadcastId: null,
  })
  return [
    figure('Jam tayang', hoursWords(onAir), together),
    figure('Persen tayang', shareWords(wanted > 0 ? (onAir / wanted) * 100 : null), 'dari waktu yang diminta'),
    figure('Gangguan', formatNumber(incidents), incidents > 0 ? 'sebabnya ada di bawah' : 'tidak ada yang terputus'),
    figure(
      'Tayang terlama',
      hoursWords(Math.max(0, ...streams.map(({ longestRunSeconds }) => longestRunSeconds))),
      'tanpa putus',
    ),
  ]
}
