import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { openApp } from '../../../testing/app.tsx'
import { findButton } from '../../../testing/screen.ts'

const rows = (): HTMLElement[] =>
  within(screen.getByRole('list', { name: 'Riwayat / Aktivitas' })).getAllByRole('listitem')

describe('the activity', () => {
  it('[FITUR-02] of somebody without any is five samples with all three badges', async () => {
    await openApp('/fitur')
    await screen.findByText('Menunggu konfirmasi email')
    expect(rows().map(({ textContent }) => textContent)).toEqual([
      expect.stringMatching(/^Profil diperbarui.*Contoh.*Berhasil$/),
      expect.stringMatching(/^Login gagal dari perangkat tak dikenal.*Contoh.*Gagal$/),
      expect.stringMatching(/^Password diganti.*Contoh.*Berhasil$/),
      expect.stringMatching(/^Menunggu konfirmasi email.*Contoh.*Pending$/),
      expect.stringMatching(/^Membuka halaman Live.*Contoh.*Berhasil$/),
    ])
  })

  it('that cannot be had says so and can be asked for again', async () => {
    const { server, user } = await openApp('/fitur', { server: ({ on }) => on('GET /fitur/activity', 'unreachable') })
    within(await screen.findByRole('alert')).getByText('Gagal koneksi.')
    server.restore('GET /fitur/activity')
    await user.click(await findButton('Coba lagi'))
    await waitFor(() => expect(rows()).toHaveLength(5))
  })
})
