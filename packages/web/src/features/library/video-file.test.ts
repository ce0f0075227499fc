import { VIDEO_TEXTS } from '@siarin/contracts/texts'
import { describe, expect, it } from 'vitest'
import { refusalOf } from './video-file.ts'

const file = (name: string, type: string, size = 1) => refusalOf({ name, type, size })

describe('a chosen file', () => {
  it('is sent when its type or its ending is that of a video', () => {
    expect(file('a.mp4', 'video/mp4')).toBeNull()
    expect(file('a.mkv', '')).toBeNull()
    expect(file('a.TS', 'text/vnd.trolltech.linguist')).toBeNull()
  })

  it('[LIVE-02] is asked for again when it is none, or there is none', () => {
    expect(refusalOf(undefined)).toBe('Pilih file video.')
    expect(file('catatan.txt', 'text/plain')).toBe('Pilih file video.')
    expect(file('foto.jpg', 'image/jpeg')).toBe('Pilih file video.')
  })

  it('is not sent when it is empty', () => {
    expect(file('a.mp4', 'video/mp4', 0)).toBe(VIDEO_TEXTS.empty)
  })
})
