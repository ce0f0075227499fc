import type { Alert } from '@siarin/contracts/alerts'
import { act, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { startSession } from '../../../lib/session.ts'
import { openApp } from '../../../testing/app.tsx'
import { USER } from '../../../testing/default-answers.ts'
import type { FakeServer } from '../../../testing/fake-server.ts'
import { subscribedHere } from '../../../testing/own-push.ts'

const UNREAD = 'GET /fitur/alert/unread'

const alert = (id: string, part: Partial<Alert> = {}): Alert => ({
  ...{ id, kind: 'stream.failed', important: true, at: new Date().toISOString(), title: `Siaran gagal: ${id}` },
  ...{ text: 'Kunci ditolak.', read: false, path: '/fitur/siaran?siaran=a', subjectId: 'a' },
  ...part,
})

const unread = (count: number, newestId: string | null) => ({
  json: { success: true, message: '', data: { unread: count, newestId } },
})

const tell =
  (...alerts: Alert[]) =>
  ({ on }: FakeServer): void => {
    const fresh = alerts.filter(({ read }) => !read).length
    on(UNREAD, unread(fresh, alerts[0]?.id ?? null))
    on('GET /fitur/alert', { json: { success: true, message: '', data: alerts, nextCursor: null, unread: fresh } })
  }

/** As somebody does who comes back to the tab. */
const comeBack = () => act(async () => void window.dispatchEvent(new Event('visibilitychange')))

describe('[ALERT-02] the bell', () => {
  it('tells screen readers what comes, and nothing of what was there', async () => {
    const { server } = await openApp('/fitur', { server: tell(alert('1')) })
    await screen.findByRole('button', { name: 'Notifikasi, 1 belum dibaca' })
    expect(screen.getByTestId('news').textContent).toBe('')
    expect(server.asked('GET /fitur/alert')).toBe(0)
    tell(alert('2'), alert('1'))(server)
    await comeBack()
    await screen.findByRole('button', { name: 'Notifikasi, 2 belum dibaca' })
    await waitFor(() => expect(screen.getByTestId('news').textContent).toBe('Notifikasi baru: Siaran gagal: 2'))
  })

  it('marks all as read up to what was seen', async () => {
    const { server, user } = await openApp('/fitur', { server: tell(alert('7'), alert('6', { read: true })) })
    server.on('POST /fitur/alert/read-all', () => {
      tell(alert('7', { read: true }), alert('6', { read: true }))(server)
      return unread(0, '7')
    })
    await user.click(await screen.findByRole('button', { name: 'Notifikasi, 1 belum dibaca' }))
    const panel = within(await screen.findByRole('dialog', { name: 'Notifikasi' }))
    expect((await panel.findAllByRole('listitem')).map((row) => row.dataset['read'])).toEqual(['false', 'true'])
    await user.click(panel.getByRole('button', { name: 'Tandai semua dibaca' }))
    await screen.findByRole('button', { name: 'Notifikasi' })
    expect(server.calls.findLast(({ route }) => route.startsWith('POST'))?.body).toEqual({ upTo: '7' })
    await waitFor(() => expect(panel.queryByText(/Belum dibaca/)).toBeNull())
  })

  it('closes where its row leads, and has been read there', async () => {
    const { server, user, path } = await openApp('/fitur', { server: tell(alert('3')) })
    server.on('POST /fitur/alert/3/read', unread(0, '3'))
    await user.click(await screen.findByRole('button', { name: /^Notifikasi/ }))
    await user.click(await screen.findByRole('link', { name: 'Siaran gagal: 3' }))
    await waitFor(() => expect(path()).toBe('/fitur/siaran'))
    await waitFor(() => expect(server.asked('POST /fitur/alert/3/read')).toBe(1))
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Notifikasi' })).toBeNull())
  })

  it('keeps quiet while the server does not answer, and says so where one looks', async () => {
    const { user } = await openApp('/fitur', {
      server: ({ on }) => {
        on(UNREAD, 'unreachable')
        on('GET /fitur/alert', 'unreachable')
      },
    })
    await user.click(await screen.findByRole('button', { name: 'Notifikasi' }))
    const panel = within(await screen.findByRole('dialog', { name: 'Notifikasi' }))
    await panel.findByText('Gagal koneksi.')
    panel.getByRole('button', { name: 'Coba lagi' })
  })
})

describe('[ALERT-04] the pushes of this browser', () => {
  const PUSH = 'POST /fitur/alert/channel/push'
  const channels =
    (...data: object[]) =>
    ({ on }: FakeServer): void => {
      on('GET /fitur/alert/channel', { json: { success: true, message: '', data, offered: {} } })
      on(PUSH, { json: { success: true, message: '', data: { id: 'c1' } } })
    }

  it('belong to the session that is open now, and are said to the server once', async () => {
    const { endpoint, unsubscribe } = subscribedHere()
    const { server } = await openApp('/fitur', { server: channels({ id: 'c1', state: 'on' }) })
    await waitFor(() => expect(localStorage.getItem('push-session')).not.toBeNull())
    expect(server.calls.find(({ route }) => route === PUSH)?.body).toMatchObject({ subscription: { endpoint } })
    const asked = server.asked(PUSH)
    act(() => startSession('token-after-a-new-password', USER))
    await waitFor(() => expect(server.asked(PUSH)).toBe(asked + 1))
    act(() => startSession('token-after-a-new-password', { ...USER, username: 'rina baru' }))
    await waitFor(() => expect(server.asked(UNREAD)).toBeGreaterThan(0))
    expect(server.asked(PUSH)).toBe(asked + 1)
    expect(unsubscribe).not.toHaveBeenCalled()
  })

  it('end where another person logs in', async () => {
    const { unsubscribe } = subscribedHere()
    const { server } = await openApp('/fitur', { server: channels({ id: 'of-somebody-else', state: 'on' }) })
    await waitFor(() => expect(unsubscribe).toHaveBeenCalled())
    await waitFor(() => expect(localStorage.getItem('push-channel')).toBeNull())
    expect(server.asked(PUSH)).toBe(0)
  })

  it('stay off where their owner has switched them off', async () => {
    subscribedHere()
    const { server } = await openApp('/fitur', { server: channels({ id: 'c1', state: 'off' }) })
    await waitFor(() => expect(localStorage.getItem('push-session')).not.toBeNull())
    expect(server.asked(PUSH)).toBe(0)
  })
})
