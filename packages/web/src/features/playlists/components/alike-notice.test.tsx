import type { Playlist, PlaylistAlike, PlaylistItem } from '@siarin/contracts/playlists'
import { screen, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { openApp } from '../../../testing/app.tsx'
import type { FakeServer } from '../../../testing/fake-server.ts'
import { findButton } from '../../../testing/screen.ts'

const AT = '2026-01-15T12:30:00.000Z'
const LIST = '/fitur/playlist/p1'
const RECIPE = '1280x720@30:2800'
const ALIKE: PlaylistAlike = {
  ...{ recipe: RECIPE, missing: 2, bytes: 12_582_912, seconds: 400, underWay: 0, failed: 0, progress: null },
}

const item = (id: string, index: number, change: Partial<PlaylistItem>): PlaylistItem => ({
  ...{ id, index, filename: `${id}.mp4`, duration: 10, status: 'ready', fits: true, rendition: null },
  ...change,
})
const playlist = (change: Partial<Playlist>, ...items: PlaylistItem[]): Playlist => ({
  ...{ id: 'p1', name: 'Malam', shuffle: false, count: items.length, duration: 30, createdAt: AT, updatedAt: AT },
  ...{ version: 1, items, recipe: null, alike: null },
  ...change,
})
const answer = (list: Playlist) => ({ json: { success: true, message: '', playlist: list } })
const open = (server: (server: FakeServer) => void) => openApp('/fitur/playlist?id=p1', { server })
const notice = () => screen.findByRole('region', { name: 'Format video' })

describe('[LIST-04] a playlist of videos that are not alike', () => {
  const unlike = playlist({ alike: ALIKE }, item('a', 0, {}), item('b', 1, { fits: false }))

  it('says what happens and what it takes, and shows how far it is after one click', async () => {
    const { user } = await open(({ on }) => {
      on(`GET ${LIST}`, answer(unlike))
      const rendition = { state: 'preparing', progress: 40, secondsLeft: 30, queue: null, reason: null } as const
      const alike = { ...ALIKE, missing: 1, bytes: 1, seconds: 1, underWay: 2, progress: 20 }
      const making = [
        item('a', 0, { rendition }),
        item('b', 1, { fits: false, rendition: { ...rendition, progress: null } }),
      ]
      on(`POST ${LIST}/alike`, answer(playlist({ recipe: RECIPE, alike }, ...making)))
    })
    const before = await notice()
    expect(before.textContent).toContain('1 video berbeda format: ada jeda singkat saat berganti.')
    expect(before.textContent).toContain('Semua video dibuat dalam satu format yang sama.')
    expect(before.textContent).toContain('Kira-kira 7 menit dan 12 MB untuk 2 video. Hasilnya 1280×720 · 30 fps')
    await user.click(await findButton('Samakan format'))
    const bar = await screen.findByRole('progressbar', { name: 'Menyamakan format video' })
    expect(bar.getAttribute('aria-valuenow')).toBe('20')
    expect((await notice()).textContent).toContain('Menyamakan format: 20%. 2 video lagi.')
    await screen.findByText('Menyamakan format: 40% · sisa 30 detik')
    expect(screen.queryByRole('button', { name: 'Samakan format' })).toBeNull()
  })

  it('says why it could not be done, and offers it again', async () => {
    const { user } = await open(({ on }) => {
      on(`GET ${LIST}`, answer(unlike))
      const message = 'Ruang Anda tidak cukup: tersisa 1 MB, file ini butuh 12 MB. Hapus video lama dulu.'
      on(`POST ${LIST}/alike`, { status: 507, json: { success: false, code: 'storage_full', message } })
    })
    await user.click(await findButton('Samakan format'))
    await screen.findByText(/Ruang Anda tidak cukup/)
    expect((await findButton('Samakan format')).disabled).toBe(false)
  })

  it('names the videos that failed, with the reason in their row', async () => {
    const rendition = {
      state: 'failed',
      progress: null,
      secondsLeft: null,
      queue: null,
      reason: 'Diska penuh.',
    } as const
    await open(({ on }) => {
      const alike = { ...ALIKE, missing: 1, failed: 1 }
      on(
        `GET ${LIST}`,
        answer(playlist({ recipe: RECIPE, alike }, item('a', 0, {}), item('b', 1, { fits: false, rendition }))),
      )
    })
    expect((await notice()).textContent).toContain('1 video gagal disamakan; alasannya ada di barisnya.')
    await findButton('Samakan lagi')
    const row = screen.getAllByRole('listitem').find((one) => within(one).queryByRole('heading', { name: 'b.mp4' }))
    expect(row?.textContent).toContain('Formatnya gagal disamakan. Diska penuh.')
  })

  it('is not mentioned where all of them fit', async () => {
    await open(({ on }) => on(`GET ${LIST}`, answer(playlist({ recipe: RECIPE }, item('a', 0, {})))))
    await screen.findByRole('heading', { name: 'a.mp4' })
    expect(screen.queryByRole('region', { name: 'Format video' })).toBeNull()
  })
})
