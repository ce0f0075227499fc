import type { Standing } from '@siarin/contracts/standing'
import type { Target } from '@siarin/contracts/targets'
import { STREAM_TEXTS } from '@siarin/contracts/texts'
import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { openApp } from '../../../testing/app.tsx'
import type { FakeServer } from '../../../testing/fake-server.ts'
import { answerButton, button, findButton, tab, untilSaid } from '../../../testing/screen.ts'

const AT = '2026-01-15T12:30:00.000Z'
const target = (id: string, name: string): Target => ({
  ...{ id, name, platform: 'youtube', preset: null, address: null, keyHint: '••••abcd' },
  ...{ createdAt: AT, lastUsedAt: null, check: null },
})
const TARGETS = [target('t1', 'Kanal pagi'), target('t2', 'Kanal malam')]

const withTargets = ({ on }: FakeServer): void =>
  on('GET /fitur/target', { json: { success: true, message: '', data: TARGETS, nextCursor: null } })

/** One that failed is offered to be begun again: it opens the Go form with a source and a kept key. */
const withEnded = ({ on }: FakeServer): void =>
  on('GET /fitur/steam/history', {
    json: {
      success: true,
      message: '',
      streams: [
        {
          ...{ streamId: 's0', platform: 'facebook', source: 'klip.mp4', sourceName: 'klip.mp4', title: null },
          ...{ accountId: null, fallback: null, startedAt: AT, endedAt: AT, ended: 'failed', reason: null },
          ...{ restored: false, restarts: 0, onAirSeconds: 60, onAirPercent: 100 },
        },
      ],
    },
  })

const stream = (streamId: string, name: string | null, more: object = {}) => ({
  ...{ streamId, broadcastId: 'b1', targetId: name && streamId, targetName: name, platform: 'youtube' },
  ...{ source: 'klip.mp4', sourceName: 'klip.mp4', title: null, startedAt: AT, state: 'live', ...more },
})
const withStreams =
  (...streams: object[]) =>
  ({ on }: FakeServer): void =>
    on('GET /fitur/steam/active', { json: { success: true, message: 'Ada.', streams } })

describe('ticked targets', () => {
  it('[TGT-01] [TGT-03] are sent with the target that the form names, and stay ticked when they are refused', async () => {
    const { server, user } = await openApp('/fitur/live?tab=live', {
      server: (fake) => {
        withTargets(fake)
        withEnded(fake)
        fake.on('POST /fitur/broadcast', {
          status: 403,
          json: { success: false, message: 'Paket Anda mengizinkan 1 siaran.', code: 'plan_limit' },
        })
      },
    })
    await user.click(await findButton('Coba lagi'))
    const box = async (name: RegExp) => screen.findByRole<HTMLInputElement>('checkbox', { name })
    await user.click(await box(/^Kanal malam/))
    await screen.findByText('Siaran dikirim ke 2 tujuan: yang dicentang dan yang diisi di bawah.')
    await user.click(button('Go Live'))
    await untilSaid('Error: Paket Anda mengizinkan 1 siaran.Lihat paket', 'alert')
    await screen.findByText('Belum tayang. Paket Anda mengizinkan 1 siaran.')
    expect((await box(/^Kanal malam/)).checked).toBe(true)
    expect((await box(/^Kanal pagi/)).checked).toBe(false)
    expect(server.calls.find(({ route }) => route === 'POST /fitur/broadcast')?.body).toEqual({
      source: 'klip.mp4',
      looping: true,
      targets: [
        { targetId: 't2', rtmpStream: '' },
        { platform: 'facebook', rtmpStream: '', targetOf: 's0' },
      ],
    })
    expect(server.asked('POST /fitur/steam/start')).toBe(0)
  })

  it('[REC-01] are recorded where that is ticked, now and by a schedule; unticked nothing is asked for', async () => {
    const { server, user } = await openApp('/fitur/live?tab=live', {
      server: (fake) => {
        withTargets(fake)
        withEnded(fake)
        const standing = { plan: 'creator-pro', enforced: true, state: 'active', endsAt: null, stopsAt: null }
        fake.on('GET /auth/plan', { json: { success: true, message: '', data: standing } })
        for (const route of ['POST /fitur/broadcast', 'POST /fitur/steam/start', 'POST /fitur/schedule']) {
          fake.on(route, { json: { success: true, message: 'Baik.' } })
        }
      },
    })
    const sent = (route: string) => server.calls.findLast((call) => call.route === route)?.body
    const go = async (name: string, route: string) => {
      const before = server.asked(route)
      await user.click(await findButton(name))
      await waitFor(() => expect(server.asked(route)).toBe(before + 1))
      await findButton('Go Live')
    }
    await user.click(await findButton('Coba lagi'))
    await screen.findByText('Disimpan 30 hari. Rekaman video dan playlist tidak memakan ruang.')
    await go('Go Live', 'POST /fitur/steam/start')
    expect(sent('POST /fitur/steam/start')).not.toHaveProperty('record')
    await user.click(screen.getByRole('checkbox', { name: 'Rekam siaran' }))
    await go('Go Live', 'POST /fitur/steam/start')
    expect(sent('POST /fitur/steam/start')).toHaveProperty('record', true)
    await user.click(await screen.findByRole('checkbox', { name: /^Kanal malam/ }))
    await go('Go Live', 'POST /fitur/broadcast')
    expect(sent('POST /fitur/broadcast')).toHaveProperty('record', true)
    await user.click(screen.getByRole('radio', { name: 'Jadwalkan' }))
    await go('Simpan jadwal', 'POST /fitur/schedule')
    expect(sent('POST /fitur/schedule')).toHaveProperty('broadcast.record', true)
  })

  it('one that is on air already is not said to be off it', async () => {
    const { user } = await openApp('/fitur/live?tab=live', {
      server: (fake) => {
        withEnded(fake)
        const message = STREAM_TEXTS.sameTarget
        fake.on('POST /fitur/steam/start', { status: 409, json: { success: false, message, code: 'target_in_use' } })
      },
    })
    await user.click(await findButton('Coba lagi'))
    await user.click(await findButton('Go Live'))
    await untilSaid(`Error: ${STREAM_TEXTS.sameTarget}`, 'alert')
    await screen.findByText(STREAM_TEXTS.sameTarget)
  })

  it('a saved schedule leaves nothing behind that a second press would save or start', async () => {
    const { server, user } = await openApp('/fitur/live?tab=live', {
      server: (fake) => {
        withEnded(fake)
        const standing: Standing = {
          ...{ plan: 'business', enforced: true, state: 'active', endsAt: null, stopsAt: null, endsSoon: false },
          ...{ videosDeletedAt: null, suspendedFor: null },
        }
        fake.on('GET /auth/plan', { json: { success: true, message: '', data: standing } })
        fake.on('POST /fitur/schedule', { json: { success: true, message: 'Jadwal disimpan.' } })
      },
    })
    await user.click(await findButton('Coba lagi'))
    await user.click(await screen.findByRole('radio', { name: 'Jadwalkan' }))
    await user.click(await findButton('Simpan jadwal'))
    await untilSaid('Jadwal disimpan.Lihat jadwal')
    expect(screen.getByRole('link', { name: 'Lihat jadwal' }).getAttribute('href')).toBe('/fitur/jadwal')
    expect(button('Go Live').disabled).toBe(true)
    expect(server.asked('POST /fitur/schedule')).toBe(1)
  })
})

describe('streams of one broadcast', () => {
  it('[TGT-03] stand under one heading, and one is taken away without the others', async () => {
    const { server, user } = await openApp('/fitur/live?tab=live', {
      server: (fake) => {
        withTargets(fake)
        withStreams(
          stream('s1', 'Kanal pagi'),
          stream('s2', null, { platform: 'facebook', state: 'waiting', reason: 'Ditolak.' }),
          { ...stream('s3', null), broadcastId: 'b2', sourceName: 'lain.mp4' },
        )(fake)
        fake.on('DELETE /fitur/broadcast/b1/targets/s2', { json: { success: true, message: 'Tujuan dilepas.' } })
      },
    })
    await waitFor(() => expect(tab('Live').getAttribute('aria-selected')).toBe('true'))
    const heading = await screen.findByRole('heading', { name: /klip\.mp4/ })
    const rows = within(await screen.findByRole('list', { name: 'Tujuan klip.mp4' })).getAllByRole('listitem')
    expect(rows.map((row) => row.textContent)).toEqual([
      expect.stringMatching(/Facebook.*Menyambung ulang.*Ditolak\./),
      expect.stringMatching(/YouTube.*Tayang.*Kanal pagi/),
    ])
    expect(heading.textContent).toContain('2 tujuan, 1 tayang')
    // The other broadcast goes to one target, and is a row as ever.
    expect(screen.queryByRole('heading', { name: /lain\.mp4/ })).toBeNull()

    await user.click(button('Stop Facebook'))
    await user.click(await answerButton('Hentikan'))
    await untilSaid('Tujuan dilepas.')
    expect(server.asked('POST /fitur/steam/stop')).toBe(0)
    expect(server.asked('POST /fitur/broadcast/b1/stop')).toBe(0)
  })
})
