import { askVersion } from './ffmpeg-check.ts'

/** Its lists take options from this version on: without them a list cannot name a whole path, nor be told what it may open. */
const FIRST_WITH_OPTIONS = 5

/** Whether ffmpeg reads lists within lists as `media/loop-list.ts` writes them. */
export async function readsLists(ffmpegPath: string): Promise<boolean> {
  const major = majorOf(await askVersion(ffmpegPath))
  return major === null || major >= FIRST_WITH_OPTIONS
}

/** Null: a build that is not named by a version, which is a new one. */
export function majorOf(answer: string): number | null {
  const [, major] = /^ffmpeg version n?(\d+)\./.exec(answer) ?? []
  return major === undefined ? null : Number(major)
}
