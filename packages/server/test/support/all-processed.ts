import { waitFor } from '@siarin/testkit/wait-for'
import { videosOf } from './program.ts'

/** As many as somebody has: of many it asks once for all. */
export const allProcessed = (url: string, apiKey: string): ReturnType<typeof videosOf> =>
  waitFor(
    'every video to be processed',
    async () => {
      const videos = await videosOf(url, apiKey)
      return videos.every(({ status }) => status !== 'processing') && videos
    },
    { timeoutMs: 900_000, everyMs: 200 },
  )
