// The code of the screens that these tests lead to: a held clock does not wait for it.
import '../../auth/components/login-screen.tsx'
import '../../live/components/live-screen.tsx'
import { act, cleanup, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { updateUser } from '../../../lib/session.ts'
import { openApp } from '../../../testing/app.tsx'
import { STATUS, USER } from '../../../testing/default-answers.ts'
import { button, findButton, holdClock, logged, runFor } from '../../../testing/screen.ts'

const POLL = 'GET /fitur/system/status'

const tile = (name: string) => within(screen.getByRole('region', { name }))
const withCpu = (usage: number) => ({ json: { ...STATUS, cpu: { usage } } })

describe('the greeting', () => {
  it("[DASH-01] is for 'User' where no name is known", async () => {
    await openApp('/dashboard')
    act(() => updateUser({ ...USER, username: '' }))
    expect((await screen.findByRole('heading', { level: 1 })).textContent).toBe('Welcome back, User!')
  })
})

describe('the state of the server', () => {
  it("[DASH-01] is 'Loading...' until it is known", async () => {
    const { promise, resolve: answer } = Promise.withResolvers<{ json: object }>()
    await openApp('/dashboard', { server: (server) => server.on(POLL, () => promise) })
    expect((await screen.findByRole('heading', { level: 1 })).textContent).toBe('Welcome back, rina!')
    for (const name of ['CPU usage', 'Memory', 'Disk']) tile(name).getByText('Loading...')
    answer({ json: STATUS })
    await tile('CPU usage').findByText('12,5%')
    tile('Memory').getByText('25%')
    tile('Memory').getByText('2 GB / 8 GB')
    tile('Disk').getByText('40%')
    // Only what can be used counts, as in the percentage: half of this disk of 100 GB is kept back.
    tile('Disk').getByText('20 GB / 50 GB')
    expect(screen.queryByText('Loading...')).toBeNull()
  })

  it('[DASH-02] is polled every 5 s, keeps its value on a failure, and is left alone with the screen', async () => {
    holdClock()
    const { server, user } = await openApp('/dashboard')
    await waitFor(() => tile('CPU usage').getByText('12,5%'))
    // The wait itself may have moved the clock: from one poll to the next it is counted anew.
    const polls: number[] = []
    server.on(POLL, () => {
      polls.push(Date.now())
      return withCpu(polls.length)
    })
    await runFor(20_000)
    expect(polls.slice(1).map((at, index) => at - (polls[index] ?? 0))).toEqual([5000, 5000, 5000])
    tile('CPU usage').getByText('4%')

    server.on(POLL, { status: 500, json: { success: false, message: 'Boom' } })
    await runFor(5000)
    expect(logged()).toContain('The system status could not be loaded')
    tile('CPU usage').getByText('4%')
    expect(screen.queryByRole('alert')).toBeNull()
    expect(screen.queryByText('Boom')).toBeNull()

    server.on(POLL, withCpu(77))
    await runFor(5000)
    tile('CPU usage').getByText('77%')

    await user.click(screen.getByRole('link', { name: 'Upload video' }))
    await screen.findByText('Anda belum mengupload video.')
    const before = server.asked(POLL)
    await runFor(15_000)
    expect(server.asked(POLL)).toBe(before)
  })

  it('[DASH-02] stays Loading... until the first answer, whatever fails', async () => {
    const { server } = await openApp('/dashboard', { server: ({ on }) => on(POLL, 'unreachable') })
    await screen.findByText('0 B / 20 GB')
    await waitFor(() => expect(server.asked(POLL)).toBeGreaterThan(0))
    tile('CPU usage').getByText('Loading...')
    tile('Memory').getByText('Loading...')
  })

  it('[DASH-02] [AUTH-10] tells with its next poll that the session was ended elsewhere', async () => {
    holdClock()
    const { server, path } = await openApp('/dashboard')
    await waitFor(() => tile('CPU usage').getByText('12,5%'))
    const ended = { status: 401, json: { success: false, message: 'Token invalidated. Please login again.' } }
    server.on(POLL, ended)
    await runFor(5000)
    await screen.findByText('Session Ended')
    await waitFor(() => expect(path()).toBe('/login'))
  })

  it('is marked where it is nearly used up, and never in the red of what is on air', async () => {
    const near = { ...STATUS, cpu: { usage: 85 }, memory: { ...STATUS.memory, usage: 84.9 } }
    await openApp('/dashboard', { server: ({ on }) => on(POLL, { json: near }) })
    expect((await screen.findByText('85%')).className).toContain('text-warn-ink')
    tile('CPU usage').getByLabelText('Tinggi')
    expect(tile('CPU usage').getByTestId('sparkline').getAttribute('class')).toContain('text-warn-ink')
    expect(tile('Memory').getByText('84,9%').className).not.toContain('text-warn-ink')
    expect(tile('Memory').getByTestId('sparkline').getAttribute('class')).toContain('text-healthy')
  })

  it('[MANY-01] says of how many machines it tells, and of those that do not answer; nothing where there is one', async () => {
    const several = { ...STATUS, machines: { total: 3, gone: 1 } }
    await openApp('/dashboard', { server: ({ on }) => on(POLL, { json: several }) })
    const words = await screen.findByText(/^3 mesin/)
    expect(words.textContent).toBe('3 mesin · rata-rata CPU, total memori, disk terpenuh · 1 tidak menjawab')
    cleanup()
    await openApp('/dashboard')
    await screen.findByText('12,5%')
    expect(screen.queryByText(/mesin/)).toBeNull()
  })
})

describe('the list of broadcasts', () => {
  it('says when it cannot be had, and can be asked for again', async () => {
    const { server, user } = await openApp('/dashboard', {
      server: ({ on }) => on('GET /fitur/steam/active', 'unreachable'),
    })
    within(await screen.findByRole('alert')).getByText('Gagal koneksi.')
    server.restore('GET /fitur/steam/active')
    await user.click(await findButton('Coba lagi'))
    await screen.findByRole('heading', { name: 'Tiga langkah ke siaran pertama' })
  })
})

describe('a server that was restored from a backup', () => {
  const at = '2026-01-15T00:00:00.000Z'
  const restored = {
    ...{ streamId: 's1', platform: 'youtube', source: 'klip.mp4', sourceName: 'klip.mp4', title: 'Malam' },
    ...{ accountId: null, fallback: null, startedAt: at, endedAt: at, ended: 'stopped', reason: 'Dipulihkan' },
    ...{ restored: true, restarts: 0, onAirSeconds: 60, onAirPercent: 100 },
  }

  it('[SAFE-05] says here which broadcasts wait for their owner, and leads to where they are begun again', async () => {
    const { user } = await openApp('/dashboard', {
      server: ({ on }) => on('GET /fitur/steam/history', { json: { success: true, message: '', streams: [restored] } }),
    })
    const strip = within(await screen.findByRole('complementary', { name: 'Siaran yang dipulihkan' }))
    strip.getByText(/Siaran “Malam” belum tayang lagi dan menunggu Anda menekan “Siarkan lagi”/)
    await user.click(strip.getByRole('link', { name: 'Buka Riwayat siaran' }))
    await findButton('Siarkan lagi')
    expect(screen.getByRole('tab', { name: /^Live/ }).getAttribute('aria-selected')).toBe('true')
  })

  it('[SAFE-05] says nothing of those that were put aside', async () => {
    localStorage.setItem('restored-put-aside', '{broken')
    const another = { ...restored, streamId: 's2', title: 'Pagi' }
    const streams = [restored]
    const { user } = await openApp('/dashboard', {
      server: ({ on }) => on('GET /fitur/steam/history', () => ({ json: { success: true, message: '', streams } })),
    })
    await user.click(await findButton('Sembunyikan'))
    expect(screen.queryByText(/“Malam” belum tayang lagi/)).toBeNull()
    cleanup()

    streams.push(another)
    const again = await openApp('/dashboard', {
      server: ({ on }) => on('GET /fitur/steam/history', () => ({ json: { success: true, message: '', streams } })),
    })
    await screen.findByText(/Siaran “Pagi” belum tayang lagi/)
    await again.user.click(button('Sembunyikan'))
    expect(screen.queryByText(/belum tayang lagi/)).toBeNull()
  })

  it('[SAFE-05] says nothing of it once they were begun again', async () => {
    const { server } = await openApp('/dashboard', {
      server: ({ on }) => {
        on('GET /fitur/steam/history', { json: { success: true, message: '', streams: [restored] } })
        const again = { streamId: 's2', platform: 'youtube', source: 'klip.mp4', startedAt: '2026-01-16T00:00:00.000Z' }
        on('GET /fitur/steam/active', { json: { success: true, message: '', streams: [{ ...again, state: 'live' }] } })
      },
    })
    await screen.findByRole('list', { name: 'Sedang tayang' })
    await waitFor(() => expect(server.asked('GET /fitur/steam/history')).toBeGreaterThan(0))
    await screen.findByText('0 B / 20 GB')
    expect(screen.queryByRole('complementary', { name: 'Siaran yang dipulihkan' })).toBeNull()
  })
})
