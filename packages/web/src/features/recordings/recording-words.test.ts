import type { Standing } from '@siarin/contracts/standing'
import { describe, expect, it } from 'vitest'
import {
  choiceWords,
  downloadSize,
  gapWords,
  interruptionWords,
  keptWords,
  nameWords,
  recordHint,
  roomWords,
  videoName,
} from './recording-words.ts'
import { timeLineOf } from './time-line.ts'

const at = (minute: number): string => new Date(2026, 10, 15, 19, minute).toISOString()
const line = timeLineOf({
  startedAt: at(0),
  parts: [
    { at: at(0), until: at(10), from: 0, seconds: 600, interruption: null, folded: 0 },
    {
      ...{ at: at(12), until: at(22), from: 600, seconds: 600, folded: 0 },
      interruption: 'Koneksi ke platform terputus.',
    },
  ],
})

describe('[REC-03] the words of a recording', () => {
  it('name it, and say what it takes and how often it was interrupted', () => {
    expect(nameWords({ title: null, sourceName: 'laut.mp4' })).toBe('laut.mp4')
    expect(nameWords({ title: 'Kajian', sourceName: 'laut.mp4' })).toBe('Kajian')
    expect(roomWords({ online: false, size: 5 })).toBe('tidak memakan ruang')
    expect(roomWords({ online: true, size: 1536 * 1024 ** 2 })).toBe('1,5 GB')
    expect([0, 1, 1200].map(interruptionWords)).toEqual(['tidak terputus', '1 kali terputus', '1.200 kali terputus'])
    expect(videoName({ title: null, sourceName: 'laut.mp4', startedAt: at(0) })).toBe('laut 15 Nov 2026')
  })

  it('say until when it is kept, to the minute on its last day', () => {
    const end = new Date(2026, 11, 12, 19, 30)
    const ago = (hours: number) => keptWords(end.toISOString(), end.getTime() - hours * 3_600_000)
    expect(ago(25)).toEqual({ words: 'Disimpan sampai 12 Des 2026', soon: false })
    expect(ago(23)?.soon).toBe(true)
    expect(ago(23)?.words).toMatch(/^Disimpan sampai 12 Des 2026 19\.30/)
    expect(keptWords(null, 0)).toBeNull()
  })

  it('say when, how long and why it was off air', () => {
    expect(line.gaps.map(gapWords)).toEqual(['19.10.00 · Terputus 2 menit 0 detik. Koneksi ke platform terputus.'])
  })

  it('say what is chosen, on the wall clock and in length, and how large it will be', () => {
    expect(choiceWords(null, line)).toBe('Seluruh rekaman · 20 menit 0 detik')
    expect(choiceWords({ from: 300, to: 600 }, line)).toBe('19.05.00 – 19.10.00 · 5 menit 0 detik')
    expect(choiceWords({ from: 600, to: 660 }, line)).toBe('19.12.00 – 19.13.00 · 1 menit 0 detik')
    expect(downloadSize({ size: 40 * 1024 ** 2, seconds: 1200 }, { from: 0, to: 300 })).toBe('kira-kira 10 MB')
    expect(downloadSize({ size: 0, seconds: 1200 }, null)).toBeNull()
  })

  it('say in the Go form how long it would be kept by the plan, and whether it takes room', () => {
    const standing = { plan: 'starter', enforced: true } as Standing
    expect(recordHint(standing, false)).toBe('Disimpan 7 hari. Rekaman video dan playlist tidak memakan ruang.')
    expect(recordHint(standing, true)).toBe('Disimpan 7 hari. Rekaman sumber online memakai ruang penyimpanan Anda.')
    expect(recordHint({ ...standing, enforced: false }, false)).toMatch(/^Disimpan 1 tahun\./)
    expect(recordHint(undefined, false)).toBe('Rekaman video dan playlist tidak memakan ruang.')
  })
})
