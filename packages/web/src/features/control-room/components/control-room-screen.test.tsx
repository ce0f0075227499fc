import type { ActiveStream } from '@siarin/contracts/streams'
import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { type App, openApp } from '../../../testing/app.tsx'
import { answerButton, button, findButton, holdClock, runFor } from '../../../testing/screen.ts'

const AT = '2026-01-15T12:00:00.000Z'
const LIST = 'GET /fitur/broadcast'
const FEED = 'GET /fitur/steam/active'

const stream = (id: string) => ({
  ...{ streamId: id, platform: 'youtube', targetId: null, targetName: null, sourceName: `${id}.mp4`, nextSource: null },
  ...{ onFallback: false, note: null, startedAt: AT, state: 'live', reason: null, since: AT, firstLiveAt: AT },
  ...{ nextTryAt: null, bitrate: 2500, speed: 1, frames: 1, restarts: 0, reconnects: 0, uptime: 1 },
  ...{ endedAt: null, ended: null },
})
const broadcast = (id: string) => ({
  ...{ broadcastId: id, title: `Siaran ${id}`, source: `${id}.mp4`, sourceName: `${id}.mp4`, online: false },
  ...{ accountId: null, looping: true, startedAt: AT, endedAt: null, state: 'live', preparation: null },
  streams: [stream(id)],
})
const listOf = (...ids: string[]) => ({
  json: { success: true, message: '', broadcasts: ids.map(broadcast), nextCursor: null },
})
const feedOf = (...streams: Partial<ActiveStream>[]) => ({ json: { success: true, message: '', streams } })

const openRoom = (...ids: string[]): Promise<App> =>
  openApp('/fitur/siaran', {
    server: ({ on }) => {
      on(LIST, listOf(...ids))
      on(FEED, feedOf(...ids.map((streamId) => ({ streamId, state: 'live' as const }))))
      on('GET /fitur/schedule/upcoming', { json: { success: true, message: '', data: [], more: false } })
    },
  })
const row = async (id: string): Promise<HTMLElement> => {
  const found = (await screen.findByText(`Siaran ${id}`)).closest('li')
  if (!found) throw new Error(`no row of ${id}`)
  return found
}

describe('the control room', () => {
  it('says when it cannot be had, and can be asked for again', async () => {
    const { server, user } = await openApp('/fitur/siaran', { server: ({ on }) => on(LIST, 'unreachable') })
    within(await screen.findByRole('alert')).getByText('Gagal koneksi.')
    server.on(LIST, listOf())
    await user.click(within(screen.getByRole('alert')).getByRole('button', { name: 'Coba lagi' }))
    await screen.findByText(/^Belum ada siaran hari ini/)
  })

  it('tells before what comes next what is tried again and what has failed, with the names of the targets', async () => {
    const at = (minutes: number): string => new Date(Date.now() + minutes * 60_000).toISOString()
    const due = (title: string, minutes: number, state: string, reason: string | null) => ({
      ...{
        scheduleId: title,
        title,
        platform: 'lain',
        date: at(minutes).slice(0, 10),
        dueAt: at(minutes),
        state,
        reason,
      },
      targets: [{ targetId: 't1', name: 'Kanal utama', platform: 'lain', deleted: false }],
      ...{
        endsAt: at(minutes + 60),
        streamId: null,
        startedAt: null,
        lateMinutes: null,
        reasonCode: null,
        warningCode: null,
        warning: null,
      },
    })
    const all = [
      due('Lancar', 30, 'due', null),
      due('Diulang', -5, 'due', 'Key ditolak.'),
      due('Batal', -90, 'failed', 'Penuh.'),
    ]
    await openApp('/fitur/siaran', {
      server: ({ on }) => {
        on(LIST, listOf())
        on('GET /fitur/schedule/upcoming', ({ query }) => {
          const [from, to] = [query.get('from') ?? at(0), query.get('to') ?? at(9999)]
          const data = all.filter(({ dueAt }) => dueAt >= from && dueAt < to)
          return { json: { success: true, message: '', data, more: false } }
        })
      },
    })
    const list = within(await screen.findByRole('list', { name: 'Berikutnya menurut jadwal' }))
    const rows = list.getAllByRole('listitem').map(({ textContent }) => textContent)
    expect(rows).toEqual([
      expect.stringContaining('DiulangDicoba lagi: Key ditolak.Kanal utama'),
      expect.stringContaining('BatalGagal: Penuh.Kanal utama'),
      expect.stringContaining('LancarKanal utama'),
    ])
  })

  it('paints only the row that has changed', async () => {
    holdClock()
    const { server } = await openRoom('a', 'b')
    await waitFor(() => screen.getByText('Siaran a'))
    const [quiet, troubled] = [await row('a'), await row('b')]
    const changes: string[] = []
    const watch = new MutationObserver((records) => {
      for (const { target } of records) {
        const element = target instanceof Element ? target : target.parentElement
        if (!element?.closest('time')) changes.push(element?.textContent ?? '')
      }
    })
    watch.observe(quiet, { subtree: true, childList: true, characterData: true, attributes: true })
    const lost = { streamId: 'b', state: 'waiting' as const, reason: 'Sambungan terputus.' }
    server.on(FEED, feedOf({ streamId: 'a', state: 'live', bitrate: 9000 }, lost))
    await runFor(3000)
    await waitFor(() => within(screen.getByRole('region', { name: /^Perlu perhatian/ })).getByText('Siaran b'))
    expect(document.contains(quiet)).toBe(true)
    expect(changes).toEqual([])
    expect(document.contains(troubled)).toBe(false)
    watch.disconnect()
  })

  it('tells which of several could not be stopped, and why', async () => {
    const { server, user } = await openRoom('a', 'b')
    server.on('POST /fitur/broadcast/a/stop', { json: { success: true, message: '' } })
    server.on('POST /fitur/broadcast/b/stop', { status: 500, json: { success: false, message: 'Server sibuk.' } })
    await row('a')
    await user.click(screen.getByRole('checkbox', { name: 'Pilih semua: Tayang' }))
    await user.click(button('Hentikan 2'))
    await user.click(await answerButton('Hentikan'))
    await screen.findByText('1 siaran dihentikan, 1 gagal.')
    await screen.findByText('Server sibuk.')
  })

  it('leaves what TikTok needs a new address for to the Live screen', async () => {
    const ended = {
      ...{ broadcastId: 't', targetId: null, targetName: null },
      ...{ streamId: 't', platform: 'tiktok', source: 't.mp4', sourceName: 't.mp4', accountId: null, fallback: null },
      ...{ title: 'Siaran t', startedAt: AT, endedAt: new Date().toISOString(), ended: 'stopped', reason: null },
      ...{ restored: false, restarts: 0, onAirSeconds: 60, onAirPercent: 100 },
    }
    const { user } = await openApp('/fitur/siaran', {
      server: ({ on }) => {
        on(LIST, listOf())
        on('GET /fitur/steam/history', { json: { success: true, message: '', streams: [ended] } })
      },
    })
    const link = within(await row('t')).getByRole('link', { name: 'Buka Live' })
    expect(link.getAttribute('href')).toBe('/fitur/live?tab=live')
    await user.click(screen.getByRole('checkbox', { name: 'Pilih Siaran t' }))
    expect(screen.queryByRole('button', { name: /^Mulai lagi/ })).toBeNull()
    await user.click(await findButton('Batal'))
    expect(screen.queryByRole('toolbar')).toBeNull()
  })
})
