import { SCHEDULE_REASON_TEXTS, SCHEDULE_TEXTS } from '@siarin/contracts/schedules/schedule-texts'
import type { Schedule, ScheduledOccurrence } from '@siarin/contracts/schedules/schedules'
import type { Standing } from '@siarin/contracts/standing'
import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { openApp } from '../../../testing/app.tsx'
import type { FakeServer } from '../../../testing/fake-server.ts'
import { findButton } from '../../../testing/screen.ts'

const HOUR_MS = 3_600_000
const inHours = (hours: number): string => new Date(Date.now() + hours * HOUR_MS).toISOString()

const TARGETS: Schedule['broadcast']['targets'] = [
  { targetId: 't1', name: 'Kanal utama', platform: 'youtube', deleted: false },
  { targetId: 't2', name: 'Kanal lama', platform: 'facebook', deleted: true },
  { targetId: null, name: null, platform: 'lain', deleted: false },
]

const SCHEDULE: Schedule = {
  ...{
    id: 's1',
    version: 3,
    title: 'Malam',
    endAtPass: false,
    paused: false,
    nextAt: inHours(1),
    createdAt: inHours(-48),
  },
  rule: { repeat: { kind: 'daily' }, windows: [{ start: '19:00' }], exceptions: [], zone: 'Asia/Jakarta' },
  broadcast: {
    targets: TARGETS,
    ...{ source: 'kebun.mp4', platform: 'youtube', looping: true, title: null, accountId: null, fallback: null },
    record: false,
    rendition: null,
    logo: null,
  },
}

const BUSINESS: Standing = {
  ...{ plan: 'business', enforced: true, state: 'active', endsAt: null, stopsAt: null, endsSoon: false },
  ...{ videosDeletedAt: null, suspendedFor: null },
}

const occurrence = (hours: number, part: Partial<ScheduledOccurrence>): ScheduledOccurrence => ({
  ...{ scheduleId: 's1', title: 'Malam', platform: 'youtube', date: inHours(hours).slice(0, 10), state: 'due' },
  targets: TARGETS,
  ...{ dueAt: inHours(hours), endsAt: inHours(hours + 0.5), streamId: null, startedAt: null, lateMinutes: null },
  ...{ reasonCode: null, reason: null, warningCode: null, warning: null },
  ...part,
})

/** Each is told to a caller who asks for its time. */
const answering =
  (...all: ScheduledOccurrence[]) =>
  ({ on }: FakeServer): void => {
    on('GET /fitur/schedule', { json: { success: true, message: '', data: [SCHEDULE], nextCursor: null } })
    on('GET /fitur/schedule/upcoming', ({ query }) => {
      const [from, to] = [query.get('from') ?? '', query.get('to') ?? '']
      const data = all.filter(({ dueAt }) => dueAt >= from && dueAt < to)
      return { json: { success: true, message: '', data, more: false } }
    })
  }

describe('[SCHED-04] the screen of schedules', () => {
  it('says an hour ahead what would keep a broadcast from starting', async () => {
    const warning = SCHEDULE_REASON_TEXTS['plan-limit']
    await openApp('/fitur/jadwal', { server: answering(occurrence(0.5, { warningCode: 'plan-limit', warning })) })
    await screen.findByText(warning)
    await screen.findByText('Perlu diperiksa')
  })

  it('says what was missed and what failed, and why; neither can be skipped any more', async () => {
    const missed = occurrence(-30, { state: 'missed', reason: SCHEDULE_REASON_TEXTS['server-away'] })
    const failed = occurrence(-50, { state: 'failed', reason: SCHEDULE_REASON_TEXTS['source-invalid'] })
    await openApp('/fitur/jadwal', { server: answering(failed, missed) })
    const past = within(await screen.findByRole('list', { name: 'Siaran yang sudah lewat' }))
    const rows = past.getAllByRole('listitem')
    within(rows[0] as HTMLElement).getByText('Terlewat')
    within(rows[0] as HTMLElement).getByText(SCHEDULE_REASON_TEXTS['server-away'])
    within(rows[1] as HTMLElement).getByText('Gagal')
    within(rows[1] as HTMLElement).getByText(SCHEDULE_REASON_TEXTS['source-invalid'])
    expect(past.queryAllByRole('button')).toEqual([])
  })

  it('dates what is over as its reader counts days, as the time beside it', async () => {
    // A schedule of a zone where it was another day.
    await openApp('/fitur/jadwal', { server: answering(occurrence(-30, { state: 'missed', date: '2020-01-01' })) })
    const past = within(await screen.findByRole('list', { name: 'Siaran yang sudah lewat' }))
    past.getByText('Terlewat')
    expect(past.queryByText(/2020/)).toBeNull()
  })

  it('does not call over what is tried again, and offers no pause for what is over', async () => {
    const once = { ...SCHEDULE, nextAt: null }
    const over: Schedule = { ...once, id: 's2', title: 'Kemarin' }
    const reason = SCHEDULE_REASON_TEXTS['plan-limit']
    await openApp('/fitur/jadwal', {
      server: (fake) => {
        answering(occurrence(-0.2, { reason }), occurrence(-0.9, { scheduleId: 's2', state: 'failed', reason }))(fake)
        fake.on('GET /fitur/schedule', { json: { success: true, message: '', data: [once, over], nextCursor: null } })
      },
    })
    const all = within(await screen.findByRole('list', { name: 'Semua jadwal' }))
    await all.findByText('Dicoba lagi')
    all.getByText('Dicoba lagi selama waktunya belum habis.')
    expect(all.getAllByText('Selesai')).toHaveLength(1)
    all.getByRole('button', { name: 'Jeda Malam' })
    expect(all.queryByRole('button', { name: 'Jeda Kemarin' })).toBeNull()
  })

  it('offers playlists where it is changed, and keeps the one that it plays', async () => {
    const list = { shuffle: false, duration: 10, createdAt: inHours(-9), updatedAt: inHours(-9) }
    const playlists = [
      { ...list, id: 'p1', name: 'Malam panjang', count: 2 },
      { ...list, id: 'p2', name: 'Pagi', count: 1 },
      { ...list, id: 'p3', name: 'Kosong', count: 0 },
    ]
    const playing = { ...SCHEDULE, broadcast: { ...SCHEDULE.broadcast, source: 'playlist:p1' } }
    const { user } = await openApp('/fitur/jadwal', {
      server: (fake) => {
        answering()(fake)
        fake.on('GET /fitur/schedule', { json: { success: true, message: '', data: [playing], nextCursor: null } })
        fake.on('GET /fitur/playlist', { json: { success: true, message: '', playlists, nextCursor: null } })
      },
    })
    await user.click(await findButton('Ubah Malam'))
    const field = await screen.findByLabelText<HTMLSelectElement>('Video atau playlist')
    await within(field).findByRole('option', { name: 'Pagi' })
    expect(field.selectedOptions[0]?.textContent).toBe('Malam panjang')
    expect(within(field).queryByRole('option', { name: 'Kosong' })).toBeNull()
  })

  it('leads from what is on air to its broadcast', async () => {
    const onAir = occurrence(-0.2, { state: 'started', streamId: 'a b', startedAt: inHours(-0.2) })
    await openApp('/fitur/jadwal', { server: answering(onAir, occurrence(0.5, {})) })
    const links = await screen.findAllByRole('link', { name: 'Lihat siaran Malam' })
    expect(links.map((link) => link.getAttribute('href'))).toEqual(['/fitur/siaran?siaran=a%20b'])
  })

  it('names every target, and which of them was deleted, in the lists and in the dialog', async () => {
    const { user } = await openApp('/fitur/jadwal', {
      server: (server) => {
        answering(occurrence(1, {}))(server)
        server.on('GET /auth/plan', { json: { success: true, message: '', data: BUSINESS } })
        const stored = { id: 't1', name: 'Kanal utama', platform: 'youtube', preset: null }
        server.on('GET /fitur/target', { json: { success: true, message: '', data: [stored], nextCursor: null } })
      },
    })
    const all = within(await screen.findByRole('list', { name: 'Semua jadwal' }))
    for (const name of ['Kanal utama', 'Kanal lama', '(dihapus)', 'Lainnya']) all.getByText(name)
    await waitFor(() => expect(screen.getAllByText('Kanal utama')).toHaveLength(2))
    await user.click(await findButton('Ubah Malam'))
    const dialog = within(await screen.findByRole('dialog'))
    for (const name of ['Kanal utama', 'Lainnya (key yang diketik)']) {
      dialog.getByRole('checkbox', { name, checked: true })
    }
    dialog.getByText(/^Kanal lama sudah dihapus/)
    await user.click(dialog.getByLabelText('Kanal utama'))
    await user.click(dialog.getByLabelText('Lainnya (key yang diketik)'))
    await user.click(dialog.getByRole('button', { name: 'Simpan' }))
    await dialog.findByText('Pilih setidaknya satu tujuan.')
  })

  it('that was changed elsewhere keeps what was typed here, and is loaded again on request', async () => {
    const message = SCHEDULE_TEXTS.changedMeanwhile
    const { server, user } = await openApp('/fitur/jadwal', {
      server: (fake) => {
        answering()(fake)
        fake.on('GET /auth/plan', { json: { success: true, message: '', data: BUSINESS } })
        fake.on('PATCH /fitur/schedule/s1', {
          ...{ status: 409, json: { success: false, code: 'schedule_changed', message } },
        })
        const now = { ...SCHEDULE, version: 4, title: 'Dari tempat lain' }
        fake.on('GET /fitur/schedule/s1', { json: { success: true, message: '', data: now } })
      },
    })
    await user.click(await findButton('Ubah Malam'))
    const title = await screen.findByLabelText<HTMLInputElement>('Judul jadwal')
    await user.clear(title)
    await user.type(title, 'Ketikan saya')
    await user.click(await findButton('Simpan'))
    await screen.findByText(message)
    expect(title.value).toBe('Ketikan saya')
    await user.click(await findButton('Muat jadwal terbaru'))
    const loaded = await screen.findByDisplayValue<HTMLInputElement>('Dari tempat lain')
    expect(screen.queryByText(message)).toBeNull()
    await user.type(loaded, ' lagi')
    await user.click(await findButton('Simpan'))
    await screen.findByText(message)
    const sent = server.calls.filter(({ route }) => route.startsWith('PATCH')).map(({ body }) => body)
    expect(sent).toMatchObject([
      { title: 'Ketikan saya', version: 3 },
      { title: 'Dari tempat lain lagi', version: 4 },
    ])
  })

  it('that cannot be had says so and can be asked for again', async () => {
    const { server, user } = await openApp('/fitur/jadwal', {
      server: ({ on }) => on('GET /fitur/schedule', 'unreachable'),
    })
    within(await screen.findByRole('alert')).getByText('Gagal koneksi.')
    answering()(server)
    await user.click(await findButton('Coba lagi'))
    await screen.findByRole('list', { name: 'Semua jadwal' })
  })
})
