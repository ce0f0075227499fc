import type { Playlist, PlaylistAnswer } from '@siarin/contracts/playlists'
import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { openApp } from '../../../testing/app.tsx'
import type { FakeServer } from '../../../testing/fake-server.ts'
import { findButton } from '../../../testing/screen.ts'

const AT = '2026-01-15T12:30:00.000Z'
const LIST = '/fitur/playlist/p1'

const playlistOf = (version: number, order: string): Playlist => ({
  ...{ id: 'p1', name: 'Malam', shuffle: false, count: order.length, duration: 30, createdAt: AT, updatedAt: AT },
  version,
  items: [...order].map((id, index) => ({
    ...{ id, index, filename: `${id}.mp4`, duration: 10, status: 'processing', fits: null },
  })),
})
const answer = (version: number, order: string): { json: PlaylistAnswer } => ({
  json: { success: true, message: '', playlist: playlistOf(version, order) },
})

/** Answers that come when the test says so. */
function held() {
  const waiting: (() => void)[] = []
  return {
    wait: () => new Promise<void>((resolve) => void waiting.push(resolve)),
    next: () => waiting.shift()?.(),
  }
}

const order = (): string =>
  within(screen.getByRole('list', { name: 'Isi playlist' }))
    .getAllByRole('heading')
    .map(({ textContent }) => textContent?.[0])
    .join('')

const open = (server: (server: FakeServer) => void) => openApp('/fitur/playlist?id=p1', { server })

describe('changes of a playlist', () => {
  it('[LIST-02] are seen at once and sent one after the other, each with the version of the one before', async () => {
    const line = held()
    const { server, user } = await open(({ on }) => {
      on(`GET ${LIST}`, answer(7, 'abc'))
      on(`PATCH ${LIST}/items/a`, async ({ body }) => {
        await line.wait()
        const { index, version } = body as { index: number; version: number }
        return answer(version + 1, index === 1 ? 'bac' : 'bca')
      })
    })
    await user.click(await findButton('Turun a.mp4'))
    await waitFor(() => expect(order()).toBe('bac'))
    await user.click(await findButton('Turun a.mp4'))
    await waitFor(() => expect(order()).toBe('bca'))
    const sent = () => server.calls.filter(({ route }) => route.startsWith('PATCH')).map(({ body }) => body)
    expect(sent()).toEqual([{ index: 1, version: 7 }])

    line.next()
    await waitFor(() =>
      expect(sent()).toEqual([
        { index: 1, version: 7 },
        { index: 2, version: 8 },
      ]),
    )
    expect(order()).toBe('bca')
    line.next()
    await screen.findByText('a.mp4 dipindah ke urutan 3 dari 3.')
    expect(order()).toBe('bca')
  })

  it('[LIST-02] that came second are taken back, and the list is loaded as it is', async () => {
    const { server, user } = await open(({ on }) => {
      on(`GET ${LIST}`, answer(7, 'abc'))
      on(`PATCH ${LIST}/items/a`, {
        status: 409,
        json: { success: false, code: 'playlist_changed', message: 'Playlist ini baru saja diubah di tempat lain.' },
      })
    })
    await findButton('Turun a.mp4')
    server.on(`GET ${LIST}`, answer(8, 'cab'))
    await user.click(await findButton('Turun a.mp4'))
    await screen.findByText('Isi terbarunya sudah dimuat. Ulangi perubahan Anda.')
    expect(order()).toBe('cab')
  })
})
