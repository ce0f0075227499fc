import type { Schedule } from '@siarin/contracts/schedules/schedules'
import { describe, expect, it } from 'vitest'
import { changeOf, type ScheduleEdit } from './schedule-change.ts'
import { choiceOf, onlyTyped } from './target-choice.ts'

const schedule: Schedule = {
  ...{
    id: 's',
    version: 3,
    title: 'Malam',
    endAtPass: false,
    paused: false,
    nextAt: null,
    createdAt: '2026-11-16T00:00:00.000Z',
  },
  rule: { repeat: { kind: 'daily' }, windows: [{ start: '19:00' }], exceptions: [], zone: 'Asia/Jakarta' },
  broadcast: {
    ...{ source: 'https://a.example/live.m3u8', platform: 'youtube', looping: true, title: 'Malam' },
    targets: [{ targetId: null, name: null, platform: 'youtube', deleted: false }],
    ...{ accountId: 'bigo-1', fallback: 'kebun.mp4', record: false, rendition: null, logo: null },
  },
}
const { title, rule, endAtPass, broadcast } = schedule
const same: ScheduleEdit = {
  ...{ title, rule, endAtPass, source: broadcast.source, key: '', record: false },
  targets: choiceOf(broadcast.targets),
}

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
      ...{ source: broadcast.source, looping: true, rtmpStream: '', title: 'Malam' },
      targets: [{ platform: 'youtube', rtmpStream: 'baru' }],
      ...{ accountId: 'bigo-1', fallback: 'kebun.mp4' },
    })
  })

  it('[BRAND-02] keeps the version of its video, and drops it with another video', () => {
    const branded = { ...schedule, broadcast: { ...broadcast, rendition: '1280x720@30:2800' } }
    expect(changeOf(branded, { ...same, record: true }).broadcast).toMatchObject({ rendition: '1280x720@30:2800' })
    expect(changeOf(branded, { ...same, source: 'kebun.mp4' }).broadcast).not.toHaveProperty('rendition')
    const logo = { corner: 'tr', size: 15, margin: 3, opacity: 100 } as const
    const marked = { ...schedule, broadcast: { ...broadcast, logo } }
    expect(changeOf(marked, { ...same, record: true }).broadcast).toMatchObject({ logo })
    expect(changeOf(marked, { ...same, source: 'kebun.mp4' }).broadcast).not.toHaveProperty('logo')
  })

  it('[REC-01] says what is recorded from now on, and keeps it with another source', () => {
    const kept = { source: broadcast.source, looping: true, rtmpStream: '', title: 'Malam' }
    const room = { accountId: 'bigo-1', fallback: 'kebun.mp4' }
    expect(changeOf(schedule, { ...same, record: true }).broadcast).toEqual({ ...kept, ...room, record: true })
    const recorded = { ...schedule, broadcast: { ...broadcast, record: true } }
    expect(changeOf(recorded, { ...same, record: true })).toEqual({})
    expect(changeOf(recorded, same).broadcast).toEqual({ ...kept, ...room })
    const other = changeOf(recorded, { ...same, record: true, source: 'kebun.mp4' })
    expect(other.broadcast).toEqual({ ...kept, source: 'kebun.mp4', record: true })
  })

  it('drops the room and its stand-in with another source, and goes where it went', () => {
    expect(changeOf(schedule, { ...same, source: 'kebun.mp4' }).broadcast).toEqual({
      ...{ source: 'kebun.mp4', looping: true, rtmpStream: '', title: 'Malam' },
    })
  })

  it('names all targets where one was ticked, taken out or deleted, and keeps the keys of typed ones', () => {
    const several: Schedule = {
      ...schedule,
      broadcast: {
        ...broadcast,
        targets: [
          { targetId: 'a', name: 'A', platform: 'youtube', deleted: false },
          { targetId: null, name: null, platform: 'lain', deleted: false },
          { targetId: null, name: null, platform: 'lain', deleted: false },
        ],
      },
    }
    const targets = choiceOf(several.broadcast.targets)
    expect(targets).toEqual({ ticked: ['a'], typed: ['lain'] })
    expect(onlyTyped(several.broadcast.targets)).toBeNull()
    expect(changeOf(several, { ...same, targets })).toEqual({})
    const bare = { platform: 'lain', rtmpStream: '' }
    const stored = (targetId: string) => ({ targetId, rtmpStream: '' })
    const sent = (change: Partial<typeof targets>, of = several) =>
      changeOf(of, { ...same, targets: { ...targets, ...change } }).broadcast?.targets
    expect(sent({ ticked: ['a', 'b'] })).toEqual([stored('a'), stored('b'), bare, bare])
    expect(sent({ typed: [] })).toEqual([stored('a')])
    const [a, ...typed] = several.broadcast.targets
    if (!a) throw new Error('there is none')
    const gone = { ...several, broadcast: { ...several.broadcast, targets: [{ ...a, deleted: true }, ...typed] } }
    expect(sent({ ticked: [] }, gone)).toEqual([bare, bare])
  })
})
