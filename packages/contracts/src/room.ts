import { formatBytes } from './format.ts'
import { VIDEO_TEXTS } from './texts.ts'
import type { StorageUse } from './videos.ts'

/** What is said of a file that does not fit, by the page before it is sent and by the server. `planWords`: empty where no plan is at fault. */
export function noRoomWords({ used, limit }: StorageUse, neededBytes: number, planWords: string): string {
  const needed = formatBytes(neededBytes)
  // No deleting makes room for it.
  const sentence =
    neededBytes > limit
      ? VIDEO_TEXTS.overRoom(formatBytes(limit), needed)
      : VIDEO_TEXTS.noRoom(formatBytes(Math.max(0, limit - used)), needed)
  return `${sentence} ${planWords}`.trimEnd()
}
