import { expect, it } from 'vitest'
import { createRetry } from './retry-video.ts'
import type { VideoRow } from './video-row.ts'

/** What becomes of a video that failed for this reason. */
async function repeated(reason: string | null, originalKey: string | null = 'key') {
  const jobs: string[] = []
  const rows: { readonly lane?: unknown }[] = []
  const retry = createRetry({
    repo: {
      beginAgain: async (_video, columns) => {
        rows.push(columns)
        return 'begun'
      },
    },
    queue: { add: async (kind) => void jobs.push(kind) },
    limitsOf: async () => ({ storageBytes: 5e9, maxHeight: 720, maxFps: 30, makingHours: 6 }),
    isOnAir: async () => false,
  })
  const video = { status: 'failed', reason, user_id: 'u', original_key: originalKey, import_url_sealed: 'sealed' }
  await retry(video as VideoRow)
  return { jobs, lane: rows[0]?.lane }
}

it('[SAFE-04] what was over its time begins in the long lane again, all else in the quick one', async () => {
  expect(await repeated('over-time')).toEqual({ jobs: ['encode-video'], lane: 'long' })
  expect(await repeated('prepare-failed')).toEqual({ jobs: ['prepare-video'], lane: null })
  expect(await repeated('url-unreachable', null)).toEqual({ jobs: ['import-video'], lane: null })
})
