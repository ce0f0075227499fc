import { tempDir } from '@siarin/testkit/temp-dir'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import type { VideoPlace } from '../read-videos.repo.ts'
import type { VideoRow } from '../video-row.ts'
import { createPrepareJob } from './prepare-video.ts'

it('reads of thousands that wait a page, more only where no file of it is there, and leaves what had a mishap for later', async () => {
  const folder = await tempDir('prepare-video')
  const videos = Array.from(
    { length: 120 },
    (_, index) =>
      ({ id: `v${index}`, user_id: 'budi', original_key: `key-${index}`, created_at: index, master: null }) as VideoRow,
  )
  const there = new Set(videos.map(({ original_key }) => original_key))
  let read: number[] = []
  const job = createPrepareJob(
    {
      repo: {
        async preparationsOf(_of: unknown, { createdAt, id }: VideoPlace, most: number) {
          const page = videos.filter((row) => id === '' || row.created_at > createdAt).slice(0, most)
          read.push(page.length)
          return page
        },
        byId: async () => videos[0],
      },
      storage: {
        head: async (key: string) => (there.has(key) ? {} : null),
        async pin(key: string) {
          throw new Error(`${key} cannot be read now`)
        },
      },
      masters: { clearOf: async () => {} },
      permitFor: () => ({ signal: new AbortController().signal, release() {} }),
      mayWork: async () => true,
      workOf: () => folder.path,
      timings: {},
      log: pino({ level: 'silent' }),
    } as unknown as Parameters<typeof createPrepareJob>[0],
    'quick',
  )
  const tried = () => {
    read = []
    return job('budi', { signal: new AbortController().signal }).then(
      () => 'none',
      (error: Error) => error.message.split(' ')[0],
    )
  }
  expect([await tried(), read]).toEqual(['key-0', [50]])
  expect([await tried(), read]).toEqual(['key-1', [50]])
  there.clear()
  for (const key of ['key-1', 'key-110']) there.add(key)
  expect([await tried(), read]).toEqual(['key-110', [50, 50, 20]])
  expect([await tried(), read]).toEqual(['key-1', [50, 50, 20]])
  await folder.remove()
})
