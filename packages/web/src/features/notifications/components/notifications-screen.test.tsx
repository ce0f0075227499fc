import { type AlertSettings, DEFAULT_ALERT_SETTINGS } from '@siarin/contracts/alerts'
import { render, screen, waitFor } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { openApp } from '../../../testing/app.tsx'
import type { FakeServer } from '../../../testing/fake-server.ts'
import { zoneHere } from '../../schedules/zones.ts'
import { formOf } from '../settings-form.ts'
import { KindSwitches } from './kind-switches.tsx'

const OFFERED = {
  ...{ telegramBot: null, discord: true, push: false, pushPublicKey: null, email: false, emailAddress: null },
}
const CHANNEL = {
  ...{ id: 'c1', kind: 'discord', name: 'Grup tim', hint: '…1234', state: 'on', stateReason: null, last: null },
  ...{ waiting: 0, createdAt: '2026-11-16T00:00:00.000Z' },
}

const settings =
  (data: AlertSettings, saved: boolean) =>
  ({ on }: FakeServer): void => {
    const answer = (of: unknown) => ({ json: { success: true, message: '', data: of, saved: true } })
    on('GET /fitur/alert/settings', { json: { success: true, message: '', data, saved } })
    on('PUT /fitur/alert/settings', ({ body }) => answer(body))
    on('GET /fitur/alert/unread', { json: { success: true, message: '', data: { unread: 0, newestId: null } } })
    on('GET /fitur/alert', { json: { success: true, message: '', data: [], nextCursor: null, unread: 0 } })
    on('GET /fitur/alert/channel', { json: { success: true, message: '', data: [CHANNEL], offered: OFFERED } })
  }

afterEach(() => void vi.restoreAllMocks())

describe('[ALERT-03] the screen of notifications', () => {
  it('keeps what was changed while the other tab is looked at', async () => {
    const { user, fill } = await openApp('/fitur/notifikasi', { server: settings(DEFAULT_ALERT_SETTINGS, true) })
    await fill(await screen.findByLabelText(/^Kabari bila terputus lebih dari/), '7')
    await user.click(screen.getByRole('tab', { name: /^Semua kabar/ }))
    await screen.findByRole('tabpanel', { name: /^Semua kabar/ })
    await user.click(screen.getByRole('tab', { name: 'Pengaturan' }))
    expect(screen.getByLabelText(/^Kabari bila terputus lebih dari/)).toHaveProperty('value', '7')
    expect(screen.getByText('Perubahan belum disimpan')).toBeTruthy()
  })

  it('begins with the zone of the browser, once', async () => {
    const elsewhere = zoneHere() === 'Pacific/Auckland' ? 'Asia/Jakarta' : 'Pacific/Auckland'
    const data = { ...DEFAULT_ALERT_SETTINGS, zone: elsewhere }
    const { server } = await openApp('/fitur/notifikasi', { server: settings(data, false) })
    await waitFor(() => expect(screen.getByLabelText('Zona waktu')).toHaveProperty('value', zoneHere()))
    const saved = server.calls.filter(({ route }) => route === 'PUT /fitur/alert/settings')
    expect(saved.map(({ body }) => body)).toEqual([{ ...data, zone: zoneHere() }])
  })

  it('says on a phone which ways are not connected, and tells of recordings too', () => {
    const real = window.matchMedia
    vi.spyOn(window, 'matchMedia').mockImplementation((query) =>
      Object.defineProperty(real.call(window, query), 'matches', { value: query.includes('48rem') }),
    )
    render(
      <KindSwitches
        form={formOf(DEFAULT_ALERT_SETTINGS)}
        connected={new Set(['discord'])}
        onSwitch={() => undefined}
      />,
    )
    const chip = (place: string) => screen.getByLabelText(`Siaran gagal: ${place}`).closest('label')?.textContent
    expect(['Aplikasi', 'Discord', 'Telegram'].map(chip)).toEqual(['Aplikasi', 'Discord', 'Telegrambelum terhubung'])
    screen.getByText('Rekaman segera dihapus')
  })
})
