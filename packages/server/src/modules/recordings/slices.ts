import type { LoopList } from '@siarin/media/loop-plan'

/** What is played: a file, and behind it its tail where it has one. */
export interface Clip {
  readonly key: string
  readonly tailKey: string | null
  readonly list: LoopList
  readonly looping: boolean
}

/** What was sent of one clip without a break. */
export interface Played {
  readonly clip: Clip
  /** Where it begins, from the beginning of the clip's first pass. */
  readonly fromMs: number
  readonly ms: number
}

/** What is played of one file. Times in seconds; `from` and `to` count from where the pass begins. */
export interface Slice {
  readonly key: string
  /** Where in the pass this file begins: 0, or where the tail does. */
  readonly fileFrom: number
  /** And where what is played of it ends. */
  readonly fileTo: number
  /** The key of the file that stands for its clip: what is behind another is like that. */
  readonly clipKey: string
  /** The file's own clock where the pass begins: its clock at a moment of the pass is the sum of both. */
  readonly startSeconds: number
  /** In the file's own clock: what comes from there on is left out. */
  readonly outpoint: number | null
  readonly from: number
  readonly to: number
  /** It ends where the file, or what is played of it, ends. */
  readonly isToEnd: boolean
  /** It goes on in the pass where the slice before ended. */
  readonly continues: boolean
}

/** Slices that are played so many times behind each other. */
export interface Run {
  readonly slices: readonly Slice[]
  readonly times: number
}

/** Twelve hours of a clip of a second. What is shorter is recorded as far as this. */
export const MOST_SLICES = 45_000
/** Shorter than any frame: what rounding leaves. */
const TINY_SECONDS = 0.001

/** What is played, file by file. The whole passes of a loop are one run, however many there are. */
export function runsIn({ clip, fromMs, ms }: Played): Run[] {
  const { list, looping } = clip
  const { seconds } = list
  if (!(seconds > 0)) return []
  const begin = fromMs / 1000
  const end = looping ? begin + ms / 1000 : Math.min(begin + ms / 1000, seconds)
  const files = filesOf(clip)
  const runs: Run[] = []
  const add = (pass: number, times = 1): void => {
    const slices = slicesInPass(files, begin - pass * seconds, end - pass * seconds, runs.length === 0)
    if (slices.length > 0) runs.push({ slices, times })
  }
  const firstPass = looping ? Math.floor(begin / seconds + 1e-9) : 0
  add(firstPass)
  // The last passes are looked at one by one: rounding decides how many there are.
  const wholePasses = Math.max(0, Math.floor(end / seconds) - 2 - firstPass)
  if (wholePasses > 0) add(firstPass + 1, wholePasses)
  for (let pass = firstPass + 1 + wholePasses; pass * seconds < end - TINY_SECONDS; pass++) add(pass)
  return runs
}

export function* slicesIn(played: Played): Generator<Slice> {
  for (const { slices, times } of runsIn(played)) {
    for (let pass = 0; pass < times; pass++) yield* slices
  }
}

export const sliceCount = (played: Played): number =>
  runsIn(played).reduce((sum, { slices, times }) => sum + slices.length * times, 0)

/** Not more of it than so many slices. */
export function upToSlices(played: Played, most: number): Played {
  if (sliceCount(played) <= most) return played
  const { clip, fromMs } = played
  const passes = Math.floor(most / filesOf(clip).length)
  const firstPass = Math.floor(fromMs / 1000 / clip.list.seconds + 1e-9)
  return { ...played, ms: Math.max(0, (firstPass + passes) * clip.list.seconds * 1000 - fromMs) }
}

type PassFile = Omit<Slice, 'from' | 'to' | 'isToEnd' | 'continues'>

/** What of a pass lies between two of its moments. */
function slicesInPass(files: readonly PassFile[], begin: number, end: number, isFirstPass: boolean): Slice[] {
  const slices: Slice[] = []
  for (const file of files) {
    const from = Math.max(file.fileFrom, begin)
    const to = Math.min(file.fileTo, end)
    if (to - from < TINY_SECONDS) continue
    const isToEnd = file.fileTo - to < TINY_SECONDS
    const isFirst = isFirstPass && slices.length === 0
    const continues = !isFirst && from === file.fileFrom && file.fileFrom > 0
    slices.push({ ...file, from, to: isToEnd ? file.fileTo : to, isToEnd, continues })
  }
  return slices
}

/** What a pass is made of. */
export function filesOf({ key, tailKey, list }: Clip): PassFile[] {
  const { seconds, startSeconds, outpoint, bodySeconds } = list
  const body = { key, clipKey: key, fileFrom: 0, fileTo: seconds, startSeconds, outpoint }
  if (bodySeconds === null || tailKey === null) return [body]
  const tail = { key: tailKey, clipKey: key, fileFrom: bodySeconds, fileTo: seconds, startSeconds, outpoint: null }
  return [{ ...body, fileTo: bodySeconds }, tail]
}
