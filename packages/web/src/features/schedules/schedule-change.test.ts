import type { Schedule } from '@siarin/contracts/schedules/schedules'
import { describe, expect, it } from 'vitest'
import { changeOf, type ScheduleEdit } from './schedule-change.ts'

const schedule: Schedule = {
  ...{ id: 's', title: 'Malam', endAtPass: false, paused: false, nextAt: null, createdAt: '2026-11-16T00:00:00.000Z' },
  rule: { repeat: { kind: 'daily' }, windows: [{ start: '19:00' }], exceptions: [], zone: 'Asia/Jakarta' },
  broadcast: {
    ...{ source: 'https://a.example/live.m3u8', platform: 'youtube', looping: true, title: 'Malam' },
    ...{ accountId: 'bigo-1', fallback: 'kebun.mp4' },
  },
}
const { title, rule, endAtPass, broadcast } = schedule
const same: ScheduleEdit = { title, rule, endAtPass, source: broadcast.source, key: '' }

describe('what a changed schedule sends', () => {
  it('is nothing where nothing was changed, also where the title was emptied', () => {
    expect(changeOf(schedule, same)).toEqual({})
    expect(changeOf(schedule, { ...same, title: '  ' })).toEqual({})
  })

  it('is what differs', () => {
    const later = { ...rule, windows: [{ start: '20:00' }] }
    expect(changeOf(schedule, { ...same, title: ' Pagi ', rule: later, endAtPass: true })).toEqual({
      ...{ title: 'Pagi', rule: later, endAtPass: true },
    })
  })

  it('keeps what belongs to the source where only the key is new', () => {
    expect(changeOf(schedule, { ...same, key: ' baru ' }).broadcast).toEqual({
      ...{ source: broadcast.source, platform: 'youtube', looping: true, rtmpStream: 'baru', title: 'Malam' },
      ...{ accountId: 'bigo-1', fallback: 'kebun.mp4' },
    })
  })

  it('drops the room and its stand-in with another source, and asks for the kept key', () => {
    expect(changeOf(schedule, { ...same, source: 'kebun.mp4' }).broadcast).toEqual({
      ...{ source: 'kebun.mp4', platform: 'youtube', looping: true, rtmpStream: '', title: 'Malam' },
    })
  })
})
