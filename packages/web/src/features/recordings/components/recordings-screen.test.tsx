import type { Recording, RecordingDetails } from '@siarin/contracts/recordings'
import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { openApp } from '../../../testing/app.tsx'
import type { FakeServer } from '../../../testing/fake-server.ts'
import { answerButton, button, field, findButton } from '../../../testing/screen.ts'

const LIST = 'GET /fitur/recording'
const ONE = '/fitur/recording/r1'
const at = (minute: number): string => new Date(2026, 10, 15, 19, minute).toISOString()
const inHours = (hours: number): string => new Date(Date.now() + hours * 3_600_000).toISOString()

const RECORDING: Recording = {
  ...{ recordingId: 'r1', broadcastId: 'b1', title: 'Kajian', sourceName: 'laut.mp4', online: false, state: 'ready' },
  ...{ startedAt: at(0), endedAt: at(22), seconds: 1200, size: 40 * 1024 ** 2, interruptions: 1, endedWhy: null },
  ...{ keptUntil: inHours(200), hasPicture: true },
}
const DETAILS: RecordingDetails = {
  ...RECORDING,
  parts: [
    { at: at(0), until: at(10), from: 0, seconds: 600, interruption: null, folded: 0 },
    {
      ...{ at: at(12), until: at(22), from: 600, seconds: 600, folded: 0 },
      interruption: 'Koneksi ke platform terputus.',
    },
  ],
}

const listed = (recordings: readonly Recording[], nextCursor: string | null = null) => ({
  json: { success: true, message: '', recordings, nextCursor },
})
const opened = (change: Partial<RecordingDetails> = {}) => ({
  json: { success: true, message: '', recording: { ...DETAILS, ...change } },
})
const openOne = (prepare: (server: FakeServer) => void = () => {}) =>
  openApp('/fitur/rekaman?id=r1', {
    server: (server) => {
      server.on(`GET ${ONE}`, opened())
      prepare(server)
    },
  })
const slider = (name: string): HTMLElement => screen.getByRole('slider', { name })
const download = (): URL => new URL(screen.getByRole<HTMLAnchorElement>('link', { name: /^Unduh/ }).href)
const chosen = (): string | null => screen.getByTestId('chosen-part').textContent

describe('[REC-03] the list of recordings', () => {
  it('says of each what it is, what it takes, how often it was interrupted and until when it is kept', async () => {
    const recordings: Recording[] = [
      { ...RECORDING, recordingId: 'r0', state: 'recording', endedAt: null, keptUntil: null, interruptions: 0 },
      { ...RECORDING, keptUntil: inHours(5) },
      { ...RECORDING, recordingId: 'r2', title: null, online: true, endedWhy: 'Ruang penyimpanan penuh.' },
    ]
    await openApp('/fitur/rekaman', { server: ({ on }) => on(LIST, listed(recordings)) })
    const rows = within(await screen.findByRole('list', { name: 'Rekaman Anda' })).getAllByRole('listitem')
    const [first, second, third] = rows.map((row) => row.textContent)
    expect(first).toMatch(/Kajian.*Sedang direkam.*tidak memakan ruang.*tidak terputus/)
    expect(first).not.toMatch(/Disimpan/)
    expect(second).toMatch(/20 menit 0 detik.*1 kali terputus.*Disimpan sampai .*\d\d\.\d\d/)
    expect(third).toMatch(/laut\.mp4.*40 MB.*Ruang penyimpanan penuh\..*Disimpan sampai/)
  })

  it('says how to record while there is none', async () => {
    const { path, user } = await openApp('/fitur/rekaman', { server: ({ on }) => on(LIST, listed([])) })
    await screen.findByText(/^Belum ada rekaman\. Centang “Rekam siaran”/)
    await user.click(screen.getByRole('link', { name: 'Buka tab Go' }))
    await waitFor(() => expect(path()).toBe('/fitur/live'))
  })

  it('loads more, and only those of one broadcast where it is asked for', async () => {
    const { server, user } = await openApp('/fitur/rekaman?siaran=b1', {
      server: ({ on }) =>
        on(LIST, ({ query }) =>
          query.get('cursor')
            ? listed([{ ...RECORDING, recordingId: 'r2', title: 'Lama' }])
            : listed([RECORDING], 'c1'),
        ),
    })
    await user.click(await findButton('Muat lagi'))
    await screen.findByText('Lama')
    const asked = server.calls.filter(({ route }) => route === LIST).map(({ query }) => query)
    expect(asked.at(-1)?.get('cursor')).toBe('c1')
    expect(asked.every((query) => query.get('broadcastId') === 'b1')).toBe(true)
    expect(screen.queryByRole('button', { name: 'Muat lagi' })).toBeNull()
  })
})

describe('[REC-03] one recording', () => {
  it('[SAFE-07] says how many breaks are not shown one by one', async () => {
    await openApp('/fitur/rekaman?id=r1', {
      server: (server) => server.on(`GET ${ONE}`, opened({ interruptions: 40_001 })),
    })
    const folded = await screen.findByTestId('folded')
    expect(folded.textContent).toBe('40.000 gangguan singkat lainnya tidak ditampilkan satu per satu.')
    expect(screen.getAllByTestId('interruption')).toHaveLength(1)
  })

  it('tells when, how long and why it was off air', async () => {
    await openOne()
    await screen.findByRole('heading', { level: 1, name: 'Kajian' })
    const row = screen.getByTestId('interruption')
    expect(row.textContent).toBe('Terputus 2 menit 0 detikKoneksi ke platform terputus.15 Nov 19.10.00')
  })

  it('goes where keys and interruptions lead, and says where that is', async () => {
    const { user } = await openOne()
    await user.click(await findButton('Lompat ke sesudah terputus 15 Nov 19.10.00'))
    const position = slider('Posisi putar')
    expect(position.getAttribute('aria-valuetext')).toBe('15 Nov 19.12.00 (10:00 dari 20:00)')
    position.focus()
    await user.keyboard('{ArrowLeft}{PageDown}')
    expect(position.getAttribute('aria-valuetext')).toBe('15 Nov 19.08.55 (8:55 dari 20:00)')
    expect(screen.getByLabelText<HTMLVideoElement>('Rekaman').currentTime).toBe(535)
  })

  it('is downloaded whole or in part, with a ticket and never the key', async () => {
    const { user } = await openOne()
    await screen.findByRole('heading', { level: 1, name: 'Kajian' })
    expect(`${download().pathname}${download().search}`).toBe(`${ONE}/file?ticket=ticket-of-rina`)
    expect(chosen()).toBe('Seluruh rekaman · 20 menit 0 detik')

    slider('Awal bagian').focus()
    await user.keyboard('{PageUp}{ArrowRight}')
    slider('Akhir bagian').focus()
    await user.keyboard('{PageDown}')
    expect(chosen()).toBe('19.01.01 – 19.21.00 · 17 menit 59 detik')
    expect(slider('Akhir bagian').getAttribute('aria-valuetext')).toBe('15 Nov 19.21.00 (19:00 dari 20:00)')
    expect(Object.fromEntries(download().searchParams)).toEqual({ ticket: 'ticket-of-rina', from: '61', to: '1140' })
    await user.click(button('Pilih semua'))
    expect(download().searchParams.has('from')).toBe(false)
  })

  it('becomes a video under a name, and the page says where that is being made', async () => {
    const { server, user, fill } = await openOne(({ on }) =>
      on(`POST ${ONE}/video`, ({ body }) =>
        (body as { filename: string }).filename === 'Penuh'
          ? { status: 409, json: { success: false, message: 'Ruang penyimpanan penuh.', code: 'storage_full' } }
          : { json: { success: true, message: '', video: { filename: 'Kajian pagi.mp4', status: 'processing' } } },
      ),
    )
    await user.click(await findButton('Lompat ke sesudah terputus 15 Nov 19.10.00'))
    await user.click(button('Mulai dari sini'))
    await user.click(button('Pakai sebagai video'))
    expect(field('Nama video').value).toBe('Kajian 15 Nov 2026')
    await fill(field('Nama video'), 'Penuh')
    await user.click(button('Buat video'))
    await screen.findByText('Ruang penyimpanan penuh.')
    await fill(field('Nama video'), 'Kajian pagi')
    await user.click(button('Buat video'))
    await screen.findByText('Kajian pagi.mp4')
    expect(server.calls.findLast(({ route }) => route === `POST ${ONE}/video`)?.body).toEqual({
      ...{ from: 600, to: 1200, filename: 'Kajian pagi' },
    })
    expect(screen.getByRole('link', { name: 'Lihat di perpustakaan' }).getAttribute('href')).toBe(
      '/fitur/live?tab=lokal',
    )
  })

  it('is deleted after a question, and the list is shown', async () => {
    const { server, user } = await openOne(({ on }) => {
      on(LIST, listed([]))
      on(`DELETE ${ONE}`, { json: { success: true, message: 'Rekaman dihapus.' } })
    })
    await user.click(await findButton('Hapus'))
    expect(server.asked(`DELETE ${ONE}`)).toBe(0)
    await user.click(await answerButton('Hapus'))
    await screen.findByText(/^Belum ada rekaman/)
    expect(server.asked(`DELETE ${ONE}`)).toBe(1)
  })

  it('is not deleted while it is being recorded', async () => {
    await openOne(({ on }) => on(`GET ${ONE}`, opened({ state: 'recording', endedAt: null, keptUntil: null })))
    expect((await findButton('Hapus')).disabled).toBe(true)
    screen.getByText('Bisa dihapus setelah siarannya selesai.')
  })

  it('leads back where there is none any more', async () => {
    const gone = { status: 404, json: { success: false, message: 'Tidak ada.', code: 'not_found' } }
    await openOne(({ on }) => on(`GET ${ONE}`, gone))
    await screen.findByText(/^Rekaman ini tidak ada/)
    screen.getByRole('link', { name: 'Buka semua rekaman' })
  })
})

describe('[REC-01] the way from a broadcast to its recording', () => {
  it('is on its page in the analytics', async () => {
    const story = {
      ...{ broadcastId: 'b1', title: 'Kajian', startedAt: at(0), endedAt: at(22), from: at(0), to: at(22) },
      ...{ schedule: null, streams: [], events: [], recordings: [] },
    }
    await openApp('/fitur/analytics/b1', {
      server: ({ on }) => {
        on('GET /fitur/analytics/broadcast/b1', { json: { success: true, message: '', data: story } })
        on(LIST, listed([RECORDING]))
      },
    })
    const link = await screen.findByRole('link', { name: 'Lihat rekaman' })
    expect(link.getAttribute('href')).toBe('/fitur/rekaman?id=r1')
  })
})
