import type { Standing } from '@siarin/contracts/standing'
import { describe, expect, it } from 'vitest'
import {
  countdownWords,
  dateFact,
  hasHadTrial,
  keptWords,
  reasonWords,
  stoppedWords,
  standingNews as tellNews,
  untilWords,
} from './standing-words.ts'

const NOW = Date.parse('2026-11-15T12:00:00Z')
const at = (hours: number): string => new Date(NOW + hours * 3_600_000).toISOString()

const standing = (change: Partial<Standing> = {}): Standing => ({
  plan: 'free-trial',
  state: 'active',
  endsAt: at(5.2),
  stopsAt: at(5.2),
  endsSoon: true,
  videosDeletedAt: null,
  suspendedFor: null,
  enforced: true,
  ...change,
})
const grace = standing({ plan: 'starter', state: 'grace', endsAt: at(-5), stopsAt: at(67) })
const ended = standing({ state: 'ended', endsAt: at(-1), stopsAt: at(-1), videosDeletedAt: at(335), endsSoon: false })
const suspended = standing({ plan: 'starter', state: 'suspended', endsAt: null, stopsAt: null, endsSoon: false })

describe('[PLAN-03] the countdown', () => {
  it('tells how long the trial or a paid plan still goes on, and what happens then', () => {
    expect(countdownWords(standing(), NOW)).toBe(
      'Masa coba berakhir dalam 5 jam 12 menit. Siaran yang tayang ikut berhenti.',
    )
    expect(countdownWords(standing({ plan: 'starter', endsAt: at(76), stopsAt: at(76 + 72) }), NOW)).toBe(
      'Paket Starter berakhir dalam 3 hari 4 jam; setelah itu ada 3 hari tenggang, lalu siaran berhenti.',
    )
    expect(countdownWords(standing({ endsAt: at(-0.001), stopsAt: at(-0.001) }), NOW)).toBe(
      'Masa coba berakhir sebentar lagi. Siaran yang tayang ikut berhenti.',
    )
  })

  it('tells in the grace until when everything goes on', () => {
    expect(countdownWords(grace, NOW)).toMatch(
      /^Paket Starter sudah habis; semuanya tetap berjalan sampai 18 Nov 2026 /,
    )
  })

  it('is silent while it does not end soon, after it has ended, and where plans are not enforced', () => {
    for (const quiet of [standing({ endsSoon: false }), ended, suspended, standing({ enforced: false })]) {
      expect(countdownWords(quiet, NOW)).toBeNull()
    }
  })
})

describe('what has ended', () => {
  it('is told by its name', () => {
    expect(stoppedWords(ended).title).toBe('Masa coba sudah berakhir')
    expect(stoppedWords({ ...ended, plan: 'creator-pro' }).title).toBe('Paket Creator Pro sudah berakhir')
    expect(stoppedWords(suspended).title).toBe('Akun Anda dihentikan')
  })

  it('says why, where the operator gave a reason for a suspension', () => {
    const suspendedFor = 'Pembayaran ditolak'
    expect(reasonWords({ ...suspended, suspendedFor })).toBe('Alasan: Pembayaran ditolak')
    expect(tellNews(standing(), { ...suspended, suspendedFor }, false)?.text).toMatch(/ Alasan: Pembayaran ditolak$/)
    expect(reasonWords(suspended)).toBeNull()
  })

  it('says until when the videos are kept, and nothing once they are gone', () => {
    expect(keptWords(ended, NOW)).toMatch(/^Video Anda disimpan sampai 29 Nov 2026 .+, lalu dihapus\.$/)
    expect(keptWords(ended, NOW + 340 * 3_600_000)).toBeNull()
    expect(keptWords(standing(), NOW)).toBeNull()
  })
})

describe('how long a plan goes on', () => {
  it('is said for each state', () => {
    expect(untilWords(standing({ endsAt: null }))).toBe('Berlaku tanpa batas waktu')
    expect(untilWords(standing())).toMatch(/^Berlaku sampai 1[56] Nov 2026 /)
    expect(untilWords(grace)).toMatch(/^Habis 15 Nov 2026 .+, berhenti 18 Nov 2026 /)
    expect(untilWords(ended)).toMatch(/^Berakhir 15 Nov 2026 /)
  })
})

describe('the date on the profile', () => {
  it('is the one that counts, and is never called valid once it is past', () => {
    expect(dateFact(standing())).toEqual({ name: 'Berlaku sampai', at: at(5.2) })
    expect(dateFact(grace)).toEqual({ name: 'Tenggang sampai', at: at(67) })
    expect(dateFact(ended)).toEqual({ name: 'Berakhir', at: at(-1) })
    expect(dateFact({ ...suspended, endsAt: at(-1) })).toBeNull()
    expect(dateFact(standing({ endsAt: null }))).toBeNull()
  })
})

describe('the trial among the plans', () => {
  it('is behind whoever pays and whoever has had it', () => {
    expect(hasHadTrial(standing())).toBe(false)
    expect([ended, grace, standing({ plan: 'business' })].every(hasHadTrial)).toBe(true)
  })
})

const standingNews = (before: Standing, after: Standing, onAir = false) => tellNews(before, after, onAir)

describe('[PLAN-05] a change that comes while the page is open', () => {
  it('is told once, in the words that matter most', () => {
    const paid = standing({ plan: 'starter', endsSoon: false, endsAt: at(700) })
    expect(standingNews(standing(), ended)?.title).toBe('Masa coba sudah berakhir')
    expect(standingNews(paid, suspended)).toMatchObject({ tone: 'warning', title: 'Akun Anda dihentikan' })
    expect(standingNews(suspended, paid)).toMatchObject({ tone: 'success', title: 'Akses dibuka lagi' })
    expect(standingNews(ended, paid)?.text).toBe('Paket Starter aktif, semua fitur bisa dipakai.')
    expect(standingNews(standing(), paid)?.title).toBe('Paket Anda sekarang Starter')
    expect(standingNews(paid, grace)?.title).toBe('Paket Starter sudah habis')
    expect(standingNews(grace, paid)?.title).toBe('Masa berlaku paket diperbarui')
  })

  it('says of a smaller plan that what is on air goes on', () => {
    const [small, large] = [standing({ plan: 'starter' }), standing({ plan: 'creator-pro' })]
    const goesOn = 'Siaran yang tayang diteruskan; batas baru berlaku untuk siaran berikutnya.'
    expect(standingNews(large, small, true)?.text).toBe(goesOn)
    expect(standingNews(large, small)?.text).toBe('Batas paket ini langsung berlaku.')
    expect(standingNews(small, large, true)?.text).toBe('Batas paket ini langsung berlaku.')
  })

  it('is nothing when nothing changed, or when only time went by', () => {
    expect(standingNews(standing(), standing())).toBeNull()
    expect(standingNews(standing({ endsSoon: false }), standing())).toBeNull()
    expect(standingNews(ended, { ...ended })).toBeNull()
  })
})
