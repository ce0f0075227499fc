import { RECORDING_TEXTS } from '@siarin/contracts/recording-texts'
import type { Video } from '@siarin/contracts/videos'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { type App, openApp } from '../../../testing/app.tsx'
import { PROFILE, TOKEN, USER } from '../../../testing/default-answers.ts'
import type { FakeServer } from '../../../testing/fake-server.ts'
import {
  answerButton,
  button,
  findButton,
  holdClock,
  message,
  runFor,
  tab,
  untilSaid,
} from '../../../testing/screen.ts'

const EMPTY = 'Anda belum mengupload video.'

const VIDEO: Video = {
  filename: 'sungai.mp4',
  size: 1_000_000,
  duration: 3,
  createdAt: '2026-01-15T12:30:00.000Z',
  status: 'ready',
  step: null,
  progress: null,
  secondsLeft: null,
  queue: null,
  reason: null,
  warning: null,
  width: 640,
  height: 360,
  fps: 25,
  bitrate: 2500,
  videoCodec: 'h264',
  audioCodec: 'aac',
  hasThumbnail: false,
  canImprove: false,
  reducedFrom: null,
  tooLarge: false,
}

const said = (text: string, code?: string) => ({ json: { success: false, message: text, ...(code && { code }) } })
const failure = (): Promise<HTMLElement> => within(screen.getByRole('tabpanel')).findByRole('alert')
const untilFailure = (text: string): Promise<void> =>
  waitFor(async () => expect((await failure()).textContent).toContain(text))

async function openLive(server?: (server: FakeServer) => void): Promise<App> {
  const app = await openApp('/fitur/live', { ...(server && { server }) })
  await screen.findByRole('tab', { name: /^Lokal/ })
  return app
}

describe('a message', () => {
  it('[LIVE-19] stays for 3 s, and a newer one for its own 3 s', async () => {
    const { user } = await openLive()
    await screen.findByText(EMPTY)
    holdClock()
    const refuse = (): boolean =>
      fireEvent.change(screen.getByLabelText('File video'), { target: { files: [new File(['x'], 'catatan.txt')] } })

    refuse()
    await untilSaid('Pilih file video.', 'alert')
    await runFor(3000)
    expect(message().textContent).toBe('')

    refuse()
    await untilSaid('Pilih file video.', 'alert')
    await runFor(2800)
    expect(message().textContent).toBe('Pilih file video.')
    await user.click(tab('Live'))
    await untilSaid('Tidak ada live stream aktif.')
    expect(message().querySelector('[data-tone=info]')).not.toBeNull()
    await runFor(2800)
    expect(message().textContent).toBe('Tidak ada live stream aktif.')
    await runFor(300)
    expect(message().textContent).toBe('')
  })
})

describe('a member whose browser kept no key', () => {
  it('is let in by the session, which is all that these calls send', async () => {
    const opened = vi.spyOn(globalThis, 'EventSource')
    const { server } = await openApp('/fitur/live', {
      kept: { ...USER, apiKey: '' },
      server: ({ on }) => {
        on('GET /auth/profile', { json: { ...PROFILE, data: { ...PROFILE.data, apiKey: '', apiKeyHidden: true } } })
      },
    })
    await screen.findByText(EMPTY)
    expect(message().textContent).toBe('')
    await waitFor(() => expect(String(opened.mock.calls[0]?.[0])).toContain('/fitur/steam/live?ticket=ticket-of-rina'))
    for (const route of ['GET /fitur/video', 'GET /fitur/steam/active']) {
      expect(server.calls.find((call) => call.route === route)?.bearer, route).toBe(`Bearer ${TOKEN}`)
    }
  })
})

describe('a list', () => {
  it('[LIVE-21] says why it could not be loaded, and loads when it is asked again', async () => {
    const lokal = 'GET /fitur/video'
    const live = 'GET /fitur/steam/active'
    const { server, user } = await openLive(({ on }) => {
      for (const route of [lokal, live, 'GET /fitur/bigo/live']) on(route, { status: 500 })
    })
    await untilFailure('Gagal request.')
    await user.click(tab('Bigo'))
    await untilFailure('Gagal memuat video online.')
    await untilSaid('Gagal memuat video online.', 'alert')
    await user.click(tab('Live'))
    await untilFailure('Gagal mengambil data live stream.')
    server.restore(live)
    await user.click(within(await failure()).getByRole('button', { name: 'Coba lagi' }))
    await screen.findByText('Tidak ada live stream yang aktif saat ini.')

    server.on(lokal, 'unreachable')
    await user.click(tab('Lokal'))
    await untilFailure('Gagal koneksi.')
    server.on(lokal, { status: 503, ...said('Server sedang dirawat.') })
    await user.click(button('Coba lagi'))
    await untilFailure('Server sedang dirawat.')
    server.restore(lokal)
    await user.click(button('Coba lagi'))
    await screen.findByText(EMPTY)
  })
})

describe('a video', () => {
  it.each([
    ['Gagal menghapus video.', { status: 500 }],
    [
      'Video sedang dipakai siaran langsung.',
      { status: 409, json: { success: false, message: 'Video sedang dipakai siaran langsung.' } },
    ],
    ['Gagal koneksi.', 'unreachable'],
  ] as const)('[LIVE-21] that could not be deleted stays and says so: %s', async (text, answer) => {
    const { user } = await openLive(({ on }) => {
      on('GET /fitur/video', { json: { success: true, message: '', data: [VIDEO], storage: { used: 1, limit: 2 } } })
      on('DELETE /fitur/video/delete/sungai.mp4', answer)
    })
    await user.click(await findButton('Hapus sungai.mp4'))
    await user.click(await answerButton('Hapus'))
    await untilSaid(text, 'alert')
    within(screen.getByRole('list', { name: 'Video lokal' })).getByText('sungai.mp4')
  })
})

describe('a video that a recording needs', () => {
  it('[REC-01] is not deleted, and what to do about it stands until it was read', async () => {
    const { user } = await openLive(({ on }) => {
      on('GET /fitur/video', { json: { success: true, message: '', data: [VIDEO], storage: { used: 1, limit: 2 } } })
      on('DELETE /fitur/video/delete/sungai.mp4', { status: 409, ...said(RECORDING_TEXTS.keepsVideo) })
    })
    await user.click(await findButton('Hapus sungai.mp4'))
    await user.click(await answerButton('Hapus'))
    await screen.findByText(RECORDING_TEXTS.keepsVideo)
    await user.click(await answerButton('OK'))
    within(screen.getByRole('list', { name: 'Video lokal' })).getByText('sungai.mp4')
  })
})

describe('a stream', () => {
  const streaming = (stream: object) => (server: FakeServer) =>
    server.on('GET /fitur/steam/active', {
      json: {
        success: true,
        message: 'Ditemukan 1 stream aktif.',
        streams: [{ platform: 'youtube', source: 'a.mp4', startedAt: '2026-01-15T12:30:00.000Z', ...stream }],
      },
    })

  it('[LIVE-08] [LIVE-13] without an id shows N/A and cannot be stopped', async () => {
    const { server, user } = await openLive(streaming({}))
    await user.click(tab('Live'))
    await untilSaid('Ditemukan 1 stream aktif.')
    const row = within(screen.getByRole('list', { name: 'Siaran aktif' })).getByRole('listitem')
    for (const words of ['ID N/A', 'Mulai 15 Jan 2026 19.30 WIB', 'YouTube']) expect(row.textContent).toContain(words)
    await user.click(within(row).getByRole('button', { name: 'Stop' }))
    await untilSaid('Stream ID tidak valid.', 'alert')
    expect(screen.queryByRole('alertdialog')).toBeNull()
    expect(server.asked('POST /fitur/steam/stop')).toBe(0)
  })

  it('[LIVE-21] whose stop fails says so', async () => {
    const { user } = await openLive((server) => {
      streaming({ streamId: 's1' })(server)
      server.on('POST /fitur/steam/stop', { status: 500 })
    })
    await user.click(tab('Live'))
    await user.click(await findButton('Stop'))
    await user.click(await answerButton('Hentikan'))
    await untilSaid('Gagal memulai live stream.', 'alert')
  })
})

describe('a broadcast of a server that was restored from a backup', () => {
  it('[SAFE-05] is offered to be begun again, with its own words', async () => {
    const reason =
      'Dipulihkan: siarkan lagi? Server ini dipulihkan dari cadangan, jadi siarannya belum dimulai di sini.'
    const at = '2026-12-31T00:00:00.000Z'
    const { user } = await openLive(({ on }) =>
      on('GET /fitur/steam/history', {
        json: {
          success: true,
          message: '',
          streams: [
            {
              ...{ streamId: 's1', platform: 'youtube', source: 'klip.mp4', sourceName: 'klip.mp4', title: 'Malam' },
              ...{ accountId: null, fallback: null, startedAt: at, endedAt: at, ended: 'stopped', reason },
              ...{ restored: true, restarts: 0, onAirSeconds: 60, onAirPercent: 100 },
            },
          ],
        },
      }),
    )
    await user.click(tab('Live'))
    await screen.findByText('Dipulihkan')
    screen.getByText(reason)
    await user.click(await findButton('Siarkan lagi'))
    await waitFor(() => expect(tab('Go').getAttribute('aria-selected')).toBe('true'))
  })
})

describe('the blocking notice', () => {
  const notice = (): HTMLElement | null => screen.queryByRole('dialog', { name: 'Akses gratis dihentikan' })

  it('[LIVE-20] comes with a call that is refused because access was stopped, in the server’s words', async () => {
    holdClock()
    const refusal = { status: 403, ...said('Masa coba Anda sudah berakhir.', 'access_stopped') }
    const { server, user } = await openApp('/fitur/live', {
      server: ({ on }) => {
        for (const path of ['video', 'steam/active', 'steam/history']) on(`GET /fitur/${path}`, refusal)
      },
    })
    await waitFor(() => expect(notice()?.textContent).toContain('Masa coba Anda sudah berakhir.'))
    const features = (): number => server.calls.filter(({ route }) => route.includes(' /fitur/')).length
    const before = features()
    await runFor(60_000)
    expect(features()).toBe(before)

    await user.click(button('Tutup'))
    await waitFor(() => expect(notice()).toBeNull())
    await untilFailure('Masa coba Anda sudah berakhir.')
    button('Coba lagi')
  })

  it('[LIVE-20] comes back with an action that is refused', async () => {
    const app = await openLive(({ on }) =>
      on('POST /fitur/video/import', { status: 403, ...said('', 'access_stopped') }),
    )
    for (let time = 1; time <= 2; time++) {
      await screen.findByText(EMPTY)
      await app.user.click(button('Ambil dari alamat'))
      await app.fill(await screen.findByLabelText('Alamat video'), 'https://contoh.example/a.mp4')
      await app.user.click(button('Ambil video'))
      await waitFor(() => expect(notice()?.textContent).toContain('Akses gratis Anda telah dihentikan.'))
      await app.user.keyboard('{Escape}')
      await waitFor(() => expect(notice()).toBeNull())
    }
    await screen.findByText(EMPTY)
  })
})
