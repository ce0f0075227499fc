import type { BroadcastStory } from '@siarin/contracts/analytics'
import { screen, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { openApp } from '../../../testing/app.tsx'
import { findButton } from '../../../testing/screen.ts'

const STORY = 'GET /fitur/analytics/broadcast/b1'
const at = (minute: number): string => new Date(Date.UTC(2026, 10, 15, 12, minute)).toISOString()
const seconds = (minute: number): number => Date.parse(at(minute)) / 1000

const names = (streamId: string, targetName: string) =>
  ({ streamId, broadcastId: 'b1', title: 'Kajian', platform: 'youtube', targetName }) as const

const stream = (streamId: string, targetName: string): BroadcastStory['streams'][number] => ({
  ...names(streamId, targetName),
  ...{ onAirSeconds: 540, wantedSeconds: 600, onAirPercent: 90, startedAt: at(0), endedAt: at(10), firstLiveAt: at(0) },
  ...{ ended: 'stopped', endReasonCode: null, endReason: null, longestRunSeconds: 300 },
  runs: [],
  incidents: [
    {
      ...names(streamId, targetName),
      ...{ incidentId: `i-${streamId}`, kind: 'interrupted', startedAt: at(5), endedAt: at(6), seconds: 60 },
      ...{ reasonCode: 'killed', reason: 'Proses siaran berhenti mendadak.', planned: false, outcome: 'recovered' },
    },
  ],
  series: {
    resolutionSeconds: 60,
    at: [seconds(0), seconds(1), seconds(2)],
    ...{ bitrateKbps: [2500, null, null], bitrateMinKbps: [2400, null, null], bitrateMaxKbps: [2600, null, null] },
    ...{ fps: [30, null, null], speed: [1, null, null], unsentKb: [0, null, 0], onAirPercent: [100, 0, 100] },
  },
})

const story = (change: Partial<BroadcastStory> = {}): { json: object } => ({
  json: {
    success: true,
    message: '',
    data: {
      ...{ broadcastId: 'b1', title: 'Kajian', startedAt: at(0), endedAt: at(10), from: at(0), to: at(10) },
      schedule: { scheduleId: 'j1', title: 'Tiap subuh', dueAt: at(0) },
      streams: [stream('s1', 'Utama'), stream('s2', 'Cadangan')],
      events: [
        { at: at(1), streamId: 's1', kind: 'live', reason: null },
        { at: at(3), streamId: 's1', kind: 'swapped', reason: 'laut.mp4' },
        { at: at(5), streamId: 's1', kind: 'lost', reason: 'Proses siaran berhenti mendadak.' },
        { at: at(10), streamId: 's1', kind: 'ended', reason: null },
      ],
      recordings: [],
      ...change,
    } satisfies BroadcastStory,
  },
})

describe('[STAT-03] the page of one broadcast', () => {
  it('tells its whole story: schedule, swap, incident with its length, end, each once', async () => {
    await openApp('/fitur/analytics/b1', { server: ({ on }) => on(STORY, story()) })
    await screen.findByRole('heading', { level: 1, name: 'Kajian Selesai' })
    const lines = screen.getAllByTestId('story-line').map(({ lastChild }) => lastChild?.textContent)
    expect(lines).toEqual([
      'SelesaiUtama (YouTube)',
      'Terputus 1 menit 0 detik: Proses siaran berhenti mendadak.Utama (YouTube)',
      'Terputus 1 menit 0 detik: Proses siaran berhenti mendadak.Cadangan (YouTube)',
      'Video diganti: laut.mp4Utama (YouTube)',
      'TayangUtama (YouTube)',
      'Dimulai oleh jadwal “Tiap subuh”',
    ])
    within(screen.getByRole('region', { name: 'Persen tayang' })).getByText('90%')
    within(screen.getByRole('region', { name: 'Gangguan' })).getByText('2')
  })

  it('has its chart as a table', async () => {
    const { user } = await openApp('/fitur/analytics/b1', { server: ({ on }) => on(STORY, story()) })
    await user.click(await findButton('Lihat sebagai tabel'))
    const cells = within(screen.getByRole('table', { name: 'Bitrate' })).getAllByRole('cell')
    expect(cells.slice(0, 6).map(({ textContent }) => textContent)).toEqual([
      'Utama (YouTube)',
      '2,5 Mbps',
      'Utama (YouTube)',
      'tidak tayang',
      'Utama (YouTube)',
      'tidak terukur',
    ])
  })

  it('is called what the rest of the product calls it while a target reconnects', async () => {
    const streams = [
      { streamId: 's1', broadcastId: 'b1', state: 'live', restarts: 0 },
      { streamId: 's2', broadcastId: 'b1', state: 'starting', restarts: 2 },
    ]
    await openApp('/fitur/analytics/b1', {
      server: ({ on }) => {
        on(STORY, story({ endedAt: null }))
        on('GET /fitur/steam/active', { json: { success: true, message: '', streams } })
      },
    })
    await screen.findByRole('heading', { level: 1, name: 'Kajian Menyambung ulang' })
  })

  it('leads back from an address of nothing', async () => {
    const unknown = { status: 404, json: { success: false, message: 'Tidak ada.', code: 'not_found' } }
    const { user } = await openApp('/fitur/analytics/b1', { server: ({ on }) => on(STORY, unknown) })
    await screen.findByText(/^Siaran ini tidak ada di analitik Anda/)
    await user.click(screen.getByRole('link', { name: 'Buka analitik' }))
    await screen.findByRole('heading', { level: 1, name: 'Analitik' })
  })

  it('says which plan shows what lies too far back', async () => {
    const refused = { status: 403, json: { success: false, message: 'Paket Starter: 30 hari.', code: 'plan_limit' } }
    await openApp('/fitur/analytics/b1', { server: ({ on }) => on(STORY, refused) })
    within(await screen.findByRole('note')).getByText('Paket Starter: 30 hari.')
  })
})
