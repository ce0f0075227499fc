import { FILENAME_MAX, VIDEOS_MAX } from '@siarin/contracts/limits'
import { describe, expect, it } from 'vitest'
import { DomainError } from '../../errors.ts'
import { numberedNames } from './clean-filename.ts'
import { blankVideo, insertUnderFreeName } from './new-videos.ts'

const row = blankVideo('video', 'budi', 1_000)
const databaseError = (code: string, message = '') => Object.assign(new Error(message), { code })
const duplicate = (column: string) => databaseError('SQLITE_CONSTRAINT_UNIQUE', `videos.user_id, videos.${column}`)

describe('a new video', () => {
  it('has the name that its owner wants, made safe', async () => {
    const video = await insertUnderFreeName(
      row,
      '../klip.mp4',
      async () => new Set(),
      async () => {},
    )
    expect(video).toEqual({ ...row, filename: 'klip.mp4', master: null })
  })

  it('has the next number where another one was quicker', async () => {
    const taken = new Set<string>()
    const tried: string[] = []
    const video = await insertUnderFreeName(
      row,
      'klip.mp4',
      async () => taken,
      async ({ filename }) => {
        tried.push(filename)
        if (tried.length > 2) return
        taken.add(filename)
        throw duplicate('filename')
      },
    )
    expect(tried).toEqual(['klip.mp4', 'klip (1).mp4', 'klip (2).mp4'])
    expect(video.filename).toBe('klip (2).mp4')
  })

  it.each([99, 100, 101, 199, 200, 201, 4_999, 10_099, 10_100])(
    'has number %i where all before it are taken',
    async (count) => {
      const nameOf = numberedNames('klip.mp4')
      const taken = new Set(Array.from({ length: count }, (_, number) => nameOf(number)))
      const named = insertUnderFreeName(
        row,
        'klip.mp4',
        async () => taken,
        async () => {},
      )
      expect((await named).filename).toBe(`klip (${count}).mp4`)
    },
  )

  it('is named without a hold, however many of one long name its owner has', async () => {
    const name = `${'🏖'.repeat(FILENAME_MAX - 4)}.mp4`
    const stem = (number: number) => '🏖'.repeat(FILENAME_MAX - ` (${number}).mp4`.length)
    const taken = new Set([name])
    for (let number = 1; number < 5 * VIDEOS_MAX; number++) taken.add(`${stem(number)} (${number}).mp4`)
    let longestMs = 0
    let lookups = 0
    let since = performance.now()
    const look = () => {
      longestMs = Math.max(longestMs, performance.now() - since)
      since = performance.now()
    }
    const video = await insertUnderFreeName(
      row,
      name,
      async () => {
        lookups++
        look()
        return taken
      },
      async () => look(),
    )
    expect(video.filename).toBe(`${stem(5 * VIDEOS_MAX)} (${5 * VIDEOS_MAX}).mp4`)
    expect(lookups).toBeLessThan(10)
    // Five times what it may be.
    expect(longestMs).toBeLessThan(100)
  })

  it.each([
    ['a lost race for ever', duplicate('filename'), 500],
    ['a duplicate that no other name helps against', duplicate('id'), 1],
    ['anything else', new Error('no'), 1],
  ])('is given up for %s', async (_, error, expected) => {
    let tries = 0
    const inserting = insertUnderFreeName(
      row,
      'klip.mp4',
      async () => new Set(),
      async () => {
        tries++
        throw error
      },
    )
    await expect(inserting).rejects.toBe(error)
    expect(tries).toBe(expected)
  })

  it('is not found where its owner went meanwhile', async () => {
    const inserting = insertUnderFreeName(
      row,
      'klip.mp4',
      async () => new Set(),
      () => Promise.reject(databaseError('23503')),
    )
    await expect(inserting).rejects.toMatchObject({ code: 'not_found' })
    await expect(inserting).rejects.toBeInstanceOf(DomainError)
  })
})
