import type { AlertChannel } from '@siarin/contracts/alerts'
import { describe, expect, it } from 'vitest'
import { channelTitle, lastNote, stateNote } from './channel-words.ts'

const NOW = Date.parse('2026-11-16T12:00:00.000Z')
const CHANNEL: AlertChannel = {
  ...{ id: 'c1', kind: 'telegram', name: 'Rina', hint: '@siarin_bot', state: 'on', stateReason: null },
  ...{ last: null, waiting: 0, createdAt: '2026-11-16T11:00:00.000Z' },
}
const last = (ok: boolean): AlertChannel['last'] => ({
  at: '2026-11-16T11:55:00.000Z',
  ok,
  answer: 'Too Many Requests',
})

describe('[ALERT-05] words about a channel', () => {
  it('says why it is off and what to do, also where the server gives no reason', () => {
    expect(stateNote(CHANNEL)).toBeNull()
    expect(stateNote({ ...CHANNEL, state: 'off' })).toBeNull()
    expect(stateNote({ ...CHANNEL, state: 'gone', stateReason: 'Bot diblokir.' })).toBe('Bot diblokir.')
    expect(stateNote({ ...CHANNEL, state: 'gone' })).toContain('Hubungkan lagi')
  })

  it('knows one without a name by where it goes', () => {
    expect(channelTitle(CHANNEL)).toBe('Rina')
    expect(channelTitle({ ...CHANNEL, name: 'Telegram' })).toBe('@siarin_bot')
    expect(channelTitle({ ...CHANNEL, name: 'Telegram', hint: '' })).toBe('Telegram')
  })

  it('says what the last message came to, and how many wait', () => {
    expect(lastNote(CHANNEL, NOW)).toBe('Belum ada pesan.')
    expect(lastNote({ ...CHANNEL, last: last(true) }, NOW)).toBe('Pesan terakhir sampai 5 menit lalu.')
    expect(lastNote({ ...CHANNEL, last: last(false), waiting: 2 }, NOW)).toBe(
      'Pesan terakhir gagal 5 menit lalu: Too Many Requests. 2 pesan menunggu.',
    )
    // Its own line says why.
    expect(lastNote({ ...CHANNEL, state: 'gone', last: last(false) }, NOW)).toBe('Pesan terakhir gagal 5 menit lalu.')
  })
})
