import { STREAM_REASON_TEXTS } from '@siarin/contracts/stream-reason-texts'
import type { EndedStream, StreamIncident } from '@siarin/contracts/streams'
import { describe, expect, it } from 'vitest'
import { endWord, incidentWords, nextTryWords, onAirWords, reconnectWords, shownPhase } from './stream-words.ts'

const words = (kind: StreamIncident['kind'], more: Partial<StreamIncident> = {}): string =>
  incidentWords({ at: '2026-08-15T12:00:00.000Z', kind, reason: null, offAirSeconds: null, ...more })

describe('the timeline', () => {
  it('tells what happened, why, and for how long', () => {
    expect(words('live')).toBe('Tayang')
    expect(words('lost', { reason: 'Tujuan tidak menjawab.' })).toBe('Terputus: Tujuan tidak menjawab.')
    expect(words('lost')).toBe('Terputus')
    expect(words('back', { offAirSeconds: 2.3 })).toBe('Tayang lagi setelah 2,3 detik')
    expect(words('back')).toBe('Tayang lagi')
    expect(words('fallback')).toBe('Sumber terputus; video cadangan tayang')
    expect(words('source-back')).toBe('Sumber kembali')
    expect(words('passed-over', { reason: 'a.mp4: rusak.' })).toBe('Item playlist dilewati: a.mp4: rusak.')
    expect(words('stop-asked')).toBe('Diminta berhenti')
    expect(words('ended')).toBe('Selesai')
    expect(words('ended', { reason: 'Kunci ditolak.' })).toBe('Gagal: Kunci ditolak.')
    const planEnd = { at: '', kind: 'ended', reason: 'Masa paket habis.', offAirSeconds: null } as const
    expect(incidentWords(planEnd, 'stopped')).toBe('Dihentikan: Masa paket habis.')
    const onTime = { ...planEnd, reason: STREAM_REASON_TEXTS['schedule-ended'] }
    expect(incidentWords(onTime, 'stopped')).toBe('Selesai: Siaran berakhir sesuai jadwalnya.')
  })

  it('shows what it does not know as it is', () => {
    expect(words('dimmed' as StreamIncident['kind'])).toBe('dimmed')
  })
})

describe('how a broadcast ended', () => {
  it('tells what failed, what others stopped and what its owner did', () => {
    expect(endWord({ ended: 'failed', reason: 'Kunci ditolak.' })).toBe('Gagal')
    expect(endWord({ ended: 'stopped', reason: 'Masa paket habis.' })).toBe('Dihentikan')
    expect(endWord({ ended: 'stopped', reason: 'Siarkan lagi?', restored: true })).toBe('Dipulihkan')
    expect(endWord({ ended: 'stopped', reason: null })).toBe('Selesai')
    expect(endWord({ ended: 'finished', reason: null })).toBe('Selesai')
    expect(endWord({ ended: 'stopped', reason: STREAM_REASON_TEXTS['schedule-ended'] })).toBe('Selesai')
  })
})

describe('the time on air', () => {
  const ended = (onAirSeconds: number, onAirPercent: number) =>
    onAirWords({ onAirSeconds, onAirPercent } as EndedStream)

  it('comes with its share', () => {
    expect(ended(11_520, 99.8)).toBe('Tayang 3 jam 12 menit, 99,8% dari waktu siaran')
    expect(ended(0, 0)).toBe('Tidak sempat tayang')
  })
})

describe('the reconnections', () => {
  it('are told as soon as there is one', () => {
    expect(reconnectWords({})).toBeNull()
    expect(reconnectWords({ reconnects: 0 })).toBeNull()
    expect(reconnectWords({ reconnects: 1 })).toBe('tersambung ulang 1 kali')
    expect(reconnectWords({ reconnects: 1234 })).toBe('tersambung ulang 1.234 kali')
  })
})

describe('the phase that is shown', () => {
  it('takes the tries of an outage for one', () => {
    expect(shownPhase({ state: 'starting', restarts: 0 })).toBe('starting')
    expect(shownPhase({ state: 'starting', restarts: 2 })).toBe('waiting')
    expect(shownPhase({ state: 'live', restarts: 2 })).toBe('live')
    expect(shownPhase({})).toBeUndefined()
  })
})

describe('the next try', () => {
  const now = Date.parse('2026-08-15T12:00:00.000Z')

  it('is counted down in whole seconds', () => {
    expect(nextTryWords('2026-08-15T12:00:02.200Z', now)).toBe('mencoba lagi dalam 3 detik')
    expect(nextTryWords('2026-08-15T11:59:59.000Z', now)).toBe('mencoba lagi sekarang')
    expect(nextTryWords(null, now)).toBeNull()
    expect(nextTryWords('soon', now)).toBeNull()
  })
})
