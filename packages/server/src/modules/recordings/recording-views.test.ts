import { describe, expect, it } from 'vitest'
import { contentDisposition } from '../../http/content-disposition.ts'
import { filenameOf } from './recording-views.ts'
import type { RecordingRow } from './recordings.repo.ts'

const rowOf = (title: string) => ({ title, source: '', from_at: Date.UTC(2026, 10, 18, 20, 5) }) as RecordingRow

describe('the file name of a recording', () => {
  it('is its title and date', () => {
    expect(filenameOf(rowOf('Lofi: malam?.mp4'))).toBe('Lofi_ malam_ 2026-11-18 20.05')
  })

  it.each([
    ['an emoji where it is cut', `${'a'.repeat(99)}🏖️ di Bali`],
    ['half an emoji', 'Lofi \ud83c malam'],
  ])('can be put into a header with %s', (_what, title) => {
    const name = filenameOf(rowOf(title))
    expect(name.length).toBeLessThan(130)
    expect(contentDisposition('attachment', name)).toContain("filename*=UTF-8''")
  })
})
