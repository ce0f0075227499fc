import type { AnalyticsSummary, Incident } from '@siarin/contracts/analytics'
import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { formatCalendarDay } from '../../../lib/format.ts'
import { openApp } from '../../../testing/app.tsx'
import { button, findButton } from '../../../testing/screen.ts'
import { plusDays, todayOf } from '../range.ts'

const SUMMARY = 'GET /fitur/analytics/summary'
const LIST = 'GET /fitur/analytics/broadcasts'
const PLAN = 'GET /auth/plan'

const today = (): string => todayOf(Date.now())
const NAMES = { streamId: 's1', broadcastId: 'b1', title: 'Kajian', platform: 'youtube', targetName: 'Kanal' } as const

const INCIDENT: Incident = {
  ...NAMES,
  ...{ incidentId: 'i1', kind: 'interrupted', startedAt: '2026-11-15T12:30:00.000Z' },
  ...{ endedAt: '2026-11-15T12:30:12.000Z', seconds: 12, reasonCode: 'target-closed' },
  ...{ reason: 'Platform memutus siaran.', planned: false, outcome: 'recovered' },
}

const shares = { onAirSeconds: 7200, wantedSeconds: 7212, onAirPercent: 99.83, incidents: 1 }

function summary(change: Partial<AnalyticsSummary['totals']> = {}): { json: object } {
  const day = { ...shares, date: today(), platforms: [{ ...shares, platform: 'youtube' }] }
  const data = {
    ...{ zone: 'Asia/Jakarta', from: plusDays(today(), -6), to: today(), oldestDate: plusDays(today(), -6) },
    access: { days: 7, csv: false, live: false, report: false },
    totals: {
      ...{ ...shares, broadcasts: 1, streams: 1, offAirSeconds: 12 },
      longestRun: { ...NAMES, startedAt: INCIDENT.startedAt, endedAt: null, seconds: 5400 },
      ...change,
    },
    ...{ platforms: day.platforms, days: [day], incidents: [INCIDENT], moreIncidents: false },
  }
  return { json: { success: true, message: '', data } }
}

const broadcasts = { json: { success: true, message: '', data: [], nextCursor: null } }
const planOf = (plan: string) => ({
  json: {
    success: true,
    message: '',
    data: {
      ...{ plan, state: 'active', endsAt: null, stopsAt: null, endsSoon: false },
      ...{ videosDeletedAt: null, suspendedFor: null, enforced: true },
    },
  },
})

const open = (path = '/fitur/analytics', plan = 'starter') =>
  openApp(path, {
    server: ({ on }) => {
      on(PLAN, planOf(plan))
      on(SUMMARY, summary())
      on(LIST, broadcasts)
    },
  })

describe('the analytics screen', () => {
  it('[STAT-02] shows the numbers first, then the incidents with reason, length and a way to the broadcast', async () => {
    const { server } = await open()
    const hours = within(await screen.findByRole('region', { name: 'Jam tayang' }))
    hours.getByText('2 jam')
    within(screen.getByRole('region', { name: 'Persen tayang' })).getByText('99,83%')
    within(screen.getByRole('region', { name: 'Gangguan' })).getByText('total 12 detik')
    const longest = within(screen.getByRole('region', { name: 'Tayang terlama' }))
    expect(longest.getByRole('link', { name: 'Kajian' }).getAttribute('href')).toBe('/fitur/analytics/b1')
    const incident = within(screen.getByTestId('incident'))
    incident.getByText('Platform memutus siaran.')
    incident.getByText('tayang lagi setelah 12 detik')
    incident.getByText('Kanal (YouTube)')
    expect(incident.getByRole('link').getAttribute('href')).toBe('/fitur/analytics/b1')
    const [asked] = server.calls.filter(({ route }) => route === SUMMARY)
    expect(Object.fromEntries(asked?.query ?? [])).toEqual({
      from: plusDays(today(), -6),
      to: today(),
      zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    })
  })

  it('[STAT-02] has the bars as a table, for who cannot see them', async () => {
    const { user } = await open()
    await user.click(await findButton('Lihat sebagai tabel'))
    const table = within(screen.getByRole('table', { name: 'Jam tayang per hari' }))
    expect(table.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual([
      'Tanggal',
      'YouTube',
      'Persen tayang',
      'Gangguan',
    ])
    expect(table.getAllByRole('cell').map(({ textContent }) => textContent)).toEqual(['2 jam', '99,83%', '1'])
    await user.click(button('Lihat sebagai grafik'))
    expect(screen.queryByRole('table')).toBeNull()
    button('Lihat sebagai tabel')
  })

  it('[STAT-02] has weeks as a table, each with the day on which it begins', async () => {
    const { json } = summary()
    const { data } = json as { data: AnalyticsSummary }
    const { user } = await openApp('/fitur/analytics?rentang=tahun', {
      server: ({ on }) => {
        on(PLAN, planOf('business'))
        on(SUMMARY, { json: { ...json, data: { ...data, from: plusDays(today(), -364) } } })
        on(LIST, broadcasts)
      },
    })
    await user.click(await findButton('Lihat sebagai tabel'))
    const table = within(screen.getByRole('table', { name: 'Jam tayang per minggu' }))
    expect(table.getAllByRole('columnheader')[0]?.textContent).toBe('Minggu mulai')
    expect(table.getByRole('rowheader').textContent).toBe(formatCalendarDay(plusDays(today(), -6)))
  })

  it('[STAT-02] calls a broadcast that reconnects what the header calls it', async () => {
    await openApp('/fitur/analytics', {
      server: ({ on }) => {
        on(SUMMARY, summary())
        const row = { ...shares, broadcastId: 'b1', title: 'Kajian', platforms: ['youtube'], streams: 1 }
        const data = [{ ...row, startedAt: INCIDENT.startedAt, endedAt: null, scheduled: false }]
        on(LIST, { json: { success: true, message: '', data, nextCursor: null } })
        const streams = [{ streamId: 's1', broadcastId: 'b1', state: 'waiting' }]
        on('GET /fitur/steam/active', { json: { success: true, message: '', streams } })
      },
    })
    const list = within(await screen.findByRole('list', { name: 'Siaran' }))
    await list.findByText('Menyambung ulang')
  })

  it('[STAT-04] says which plan has a longer range, moving charts and CSV, and asks the server for none of it', async () => {
    const { server, user } = await open('/fitur/analytics?rentang=30', 'free-trial')
    await screen.findByText(/^Paket Free Trial menampilkan analitik 7 hari terakhir/)
    await screen.findByText(/^Paket Free Trial belum punya grafik langsung/)
    expect(screen.getAllByRole('link', { name: 'Lihat paket' }).length).toBeGreaterThan(1)
    expect(server.asked(SUMMARY)).toBe(0)
    await user.click(button('Unduh CSV'))
    await screen.findByText('Paket Free Trial belum punya unduhan CSV. Upgrade ke Starter untuk mengunduhnya.')
    await user.click(screen.getByRole('radio', { name: '7 hari' }))
    await waitFor(() => expect(server.asked(SUMMARY)).toBeGreaterThan(0))
    expect(screen.queryByRole('link', { name: 'Laporan bulanan' })).toBeNull()
  })

  it('[STAT-02] takes days of one’s own, and says what is wrong with them', async () => {
    const { server } = await open('/fitur/analytics?rentang=sendiri&dari=2026-11-09&sampai=2026-11-02')
    await screen.findByText('Tanggal awal ada setelah tanggal akhir. Tukar keduanya.')
    expect(server.asked(SUMMARY)).toBe(0)
  })

  it('[STAT-02] tells somebody new what will stand here', async () => {
    await openApp('/fitur/analytics', {
      server: ({ on }) => {
        on(SUMMARY, summary({ broadcasts: 0, streams: 0, longestRun: null }))
        on(LIST, broadcasts)
      },
    })
    await screen.findByRole('heading', { name: 'Belum ada siaran pada rentang ini' })
    screen.getByText('Setiap gangguan: kapan, berapa lama, dan sebabnya')
    expect(screen.getByRole('link', { name: 'Mulai siaran' }).getAttribute('href')).toBe('/fitur/live')
    expect(screen.queryByRole('region', { name: 'Jam tayang' })).toBeNull()
  })

  it('says when it cannot be had, and can be asked for again', async () => {
    const { server, user } = await openApp('/fitur/analytics', { server: ({ on }) => on(SUMMARY, 'unreachable') })
    within(await screen.findByRole('alert')).getByText('Gagal koneksi.')
    server.on(SUMMARY, summary())
    server.on(LIST, broadcasts)
    await user.click(within(screen.getByRole('alert')).getByRole('button', { name: 'Coba lagi' }))
    await screen.findByText('99,83%')
  })
})

describe('[STAT-04] the monthly report', () => {
  const REPORT = 'GET /fitur/analytics/report'
  const month = (): string => today().slice(0, 7)

  function report(streams: number): { json: object } {
    const { data } = summary({ streams }).json as { data: AnalyticsSummary }
    const { access: _, oldestDate: __, ...figures } = data
    const own = { month: month(), isRunning: true, brand: 'Siarin', owner: 'rina', before: null, broadcasts: [] }
    const reasons = [{ reasonCode: 'killed', reason: 'Proses berhenti.', count: 1, seconds: 12 }]
    return { json: { success: true, message: '', data: { ...figures, ...own, reasons } } }
  }

  const openReport = (streams: number, path = '/fitur/analytics/laporan') =>
    openApp(path, {
      server: ({ on }) => {
        on(PLAN, planOf('business'))
        on(SUMMARY, summary())
        on(REPORT, report(streams))
        on('GET /fitur/analytics/report-mail', { json: { success: true, message: '', data: { available: false } } })
      },
    })

  it('opens with the newest month that has a broadcast, and its bars have a scale', async () => {
    const { server } = await openReport(1)
    await screen.findByRole('img', { name: 'Jam tayang per hari, paling lama 2 jam' })
    expect(screen.getByText('1 jam').closest('figure')).not.toBeNull()
    const [asked] = server.calls.filter(({ route }) => route === REPORT)
    expect(asked?.query.get('month')).toBe(month())
  })

  it('asks for no other figures where the address names a month', async () => {
    const { server } = await openReport(0, `/fitur/analytics/laporan?bulan=${month()}`)
    await screen.findByText('Tidak ada siaran pada bulan tersebut.')
    expect(server.asked(SUMMARY)).toBe(0)
  })
})
