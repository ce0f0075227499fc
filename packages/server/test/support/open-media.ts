import { readdirSync, readlinkSync } from 'node:fs'
import { waitFor } from '@siarin/testkit/wait-for'

/** Until ffmpeg has come to another file so many times. */
export async function passes(pid: number, count: number, media: string): Promise<void> {
  for (let pass = 0; pass < count; pass++) {
    const before = readsOf(pid, media)
    await waitFor('another file', async () => ![undefined, before].includes(readsOf(pid, media)), { everyMs: 50 })
  }
}

/** Which of the files under a folder a process has open. */
export const readsOf = (pid: number, media: string): string | undefined =>
  readdirSync(`/proc/${pid}/fd`).flatMap((entry) => {
    try {
      const path = readlinkSync(`/proc/${pid}/fd/${entry}`)
      return path.startsWith(media) ? path : []
    } catch {
      return []
    }
  })[0]
