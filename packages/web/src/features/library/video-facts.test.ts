import type { Standing } from '@siarin/contracts/standing'
import { VIDEO_TEXTS } from '@siarin/contracts/texts'
import type { Video } from '@siarin/contracts/videos'
import { describe, expect, it } from 'vitest'
import {
  notReadyText,
  planNote,
  preparationWords,
  reducedNote,
  stateWords,
  technicalFacts,
  timeWords,
} from './video-facts.ts'

const video: Video = {
  filename: 'a.mp4',
  size: 1,
  duration: 1,
  createdAt: '2026-08-15T12:00:00.000Z',
  status: 'ready',
  step: null,
  progress: null,
  secondsLeft: null,
  queue: null,
  reason: null,
  warning: null,
  width: 1920,
  height: 1080,
  fps: 30,
  bitrate: 2500,
  videoCodec: 'h264',
  audioCodec: 'aac',
  hasThumbnail: true,
  canImprove: false,
  reducedFrom: null,
  tooLarge: false,
}

describe('the facts of a video', () => {
  it('are its lines, its rate and its codecs', () => {
    expect(technicalFacts(video)).toBe('1080p · 30 fps · H.264/AAC')
    expect(technicalFacts({ ...video, width: 1080, height: 1920 })).toBe('1080p · 30 fps · H.264/AAC')
    expect(technicalFacts({ ...video, width: 853, height: 479, fps: 29.97 })).toBe('853×479 · 29,97 fps · H.264/AAC')
  })

  it('say when there is no sound and keep quiet about what is not known', () => {
    expect(technicalFacts({ ...video, audioCodec: null })).toBe('1080p · 30 fps · H.264, tanpa suara')
    expect(technicalFacts({ ...video, width: null, fps: null, videoCodec: null, audioCodec: null })).toBe('')
  })
})

describe('the state of a video', () => {
  it('names the step and how far it is', () => {
    expect(stateWords(video)).toBeNull()
    expect(stateWords({ ...video, status: 'processing', step: 'preparing', progress: 43 })).toBe('Diproses 43%')
    expect(stateWords({ ...video, status: 'processing', step: 'preparing', progress: null })).toBe('Diproses')
    expect(stateWords({ ...video, status: 'processing', step: 'importing', progress: 12 })).toBe('Mengambil 12%')
    expect(stateWords({ ...video, status: 'processing', step: 'checking', progress: 50 })).toBe('Memeriksa')
    expect(stateWords({ ...video, status: 'failed' })).toBe('Gagal')
  })

  it('tells how long it takes, as far as that is known', () => {
    const step = 'preparing'
    expect(preparationWords({ step, progress: 43, secondsLeft: 20 })).toBe('Diproses 43% · sisa 20 detik')
    expect(preparationWords({ step: 'checking', progress: null, secondsLeft: null, queue: null })).toBe('Memeriksa')
  })

  it.each([
    [2, 360, '2 video di depan, kira-kira 6 menit'],
    [1, 50, '1 video di depan, kurang dari 1 menit'],
    [12, 7200, '12 video di depan, kira-kira 2 jam'],
    [1200, 8100, '1.200 video di depan, kira-kira 2 jam 15 menit'],
  ])('tells that it waits for others: %i, %i s', (ahead, seconds, words) => {
    const waiting = { step: 'preparing', progress: null, secondsLeft: null, queue: { ahead, seconds } } as const
    expect(stateWords({ ...video, status: 'processing', ...waiting })).toBe('Antre')
    expect(timeWords(waiting)).toBe(words)
    expect(preparationWords(waiting)).toBe(`Antre · ${words}`)
  })

  it('keeps it from being broadcast until it is ready', () => {
    expect(notReadyText({ status: 'processing' })).toBe(VIDEO_TEXTS.notReady)
    expect(notReadyText({ status: 'failed' })).toBe(VIDEO_TEXTS.failedEarlier)
  })
})

describe('[PLAN-02] a video that was prepared under another plan', () => {
  it('says that it does not go on air, or that it could look better', () => {
    expect(planNote(video)).toBeNull()
    expect(planNote({ ...video, canImprove: true })?.urgent).toBe(false)
    expect(planNote({ ...video, canImprove: true, tooLarge: true })?.urgent).toBe(true)
  })

  it('says nothing while it is being prepared', () => {
    expect(planNote({ ...video, status: 'processing', tooLarge: true })).toBeNull()
  })
})

describe('[PLAN-02] a video that the plan made smaller', () => {
  const standing = { plan: 'free-trial', enforced: true } as Standing
  const note = (height: number, fps: number, change: Partial<Standing> = {}) =>
    reducedNote({ ...video, reducedFrom: { height, fps } }, { ...standing, ...change })

  it('says from what, and which plan it was', () => {
    expect(note(1080, 30)).toBe('Dikecilkan dari 1080p sesuai paket Free Trial.')
    expect(note(720, 59.94)).toBe('Dikecilkan dari 720p 60fps sesuai paket Free Trial.')
    expect(note(2160, 30, { plan: 'starter' })).toBe('Dikecilkan dari 4K sesuai paket Starter.')
  })

  it('says nothing where nothing was taken, or not by the plan', () => {
    expect(reducedNote(video, standing)).toBeNull()
    expect(reducedNote({ ...video, reducedFrom: { height: 1080, fps: 30 } }, undefined)).toBeNull()
    expect(note(1080, 30, { enforced: false })).toBeNull()
    expect(note(1080, 30, { plan: 'business' })).toBeNull()
  })
})
