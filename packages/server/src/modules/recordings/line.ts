import type { MadeCut } from './cutter.ts'
import type { Cut } from './segments.ts'
import type { Clip } from './slices.ts'

/** A cut, and how many segments it has. */
export interface CountedCut extends Cut {
  readonly segments: number
  /** How long its only segment is: of those that are cut all the time there are very many. Null: it has none, or several. */
  readonly seconds: number | null
}

/** Where a chunk of a time line begins. */
interface ChunkPlace {
  readonly segment: number
  readonly ms: number
}

/** What is known of a time line without its chunks. */
export interface StoredLine {
  readonly segments: number
  readonly ms: number
  /** The longest segment, in seconds. */
  readonly longest: number
  /** More may come of the last segment. */
  readonly isOpen: boolean
  readonly places: readonly ChunkPlace[]
}

/** A recording as it is played: its cuts in order, in chunks of which one is read at a time. */
export interface Line extends StoredLine {
  bodyOf(chunk: number): Promise<string>
}

/** One that is being worked out. */
export interface LineDraft {
  readonly bodies: readonly string[]
  readonly places: readonly ChunkPlace[]
  /** What the next chunk has so far. */
  readonly held: readonly CountedCut[]
  readonly segments: number
  readonly ms: number
  readonly slices: number
  readonly longest: number
  readonly isOpen: boolean
}

/** Names the way in which a time line is worked out and written. */
export const LINE_VERSION = 1
/** So many are read in less than a millisecond. */
const CHUNK = 250

export const EMPTY_LINE: LineDraft = {
  ...{ bodies: [], places: [], held: [], segments: 0, ms: 0, slices: 0, longest: 0, isOpen: false },
}

/** At most a few hundred at a time: they are worked in at once. */
export function withCuts(draft: LineDraft, cuts: readonly MadeCut[]): LineDraft {
  let { segments, ms, slices, longest, isOpen } = draft
  const bodies = [...draft.bodies]
  const places = [...draft.places]
  let held = [...draft.held]
  for (const cut of cuts) {
    if (held.length === 0) places.push({ segment: segments, ms })
    held.push(cut)
    segments += cut.segments
    ms += cut.ms
    slices += cut.slices
    longest = Math.max(longest, cut.longest)
    if (cut.segments > 0) isOpen = cut.isOpen
    if (held.length < CHUNK) continue
    bodies.push(chunkText(held))
    held = []
  }
  return { bodies, places, held, segments, ms, slices, longest, isOpen }
}

/** As it is read: what is held is its last chunk. */
export function bodiesOf({ bodies, held }: LineDraft): readonly string[] {
  return held.length > 0 ? [...bodies, chunkText(held)] : bodies
}

export const storedLineOf = ({ segments, ms, longest, isOpen, places }: LineDraft): StoredLine => ({
  ...{ segments, ms, longest, isOpen, places },
})

type WrittenCut = [
  ...[clip: number, fromMs: number, ms: number, segments: number, seconds: number | null],
  ...[shown?: number, decoded?: number],
]

/** Each clip once. */
function chunkText(cuts: readonly CountedCut[]): string {
  const clips: Clip[] = []
  const numbers = new Map<string, number>()
  const numberOf = (clip: Clip): number => {
    const { key, tailKey, list, looping } = clip
    const name = JSON.stringify([key, tailKey, list, looping])
    const known = numbers.get(name)
    if (known !== undefined) return known
    numbers.set(name, clips.length)
    return clips.push({ key, tailKey, list, looping }) - 1
  }
  const written = cuts.map(({ clip, fromMs, ms, segments, seconds, begin }): WrittenCut => {
    const own = [numberOf(clip), fromMs, ms, segments, seconds] as const
    return begin ? [...own, begin.shown, begin.decoded] : [...own]
  })
  return JSON.stringify({ clips, cuts: written })
}

export function readChunk(text: string): CountedCut[] {
  const { clips, cuts } = JSON.parse(text) as { clips: Clip[]; cuts: WrittenCut[] }
  return cuts.flatMap(([number, fromMs, ms, segments, seconds, shown, decoded]) => {
    const clip = clips[number]
    if (!clip) return []
    const begin = shown === undefined || decoded === undefined ? null : { shown, decoded }
    return [{ clip, fromMs, ms, segments, seconds, begin }]
  })
}

/** The chunk in which something lies that counts up from chunk to chunk. */
export function chunkAt(
  { places }: Pick<StoredLine, 'places'>,
  isBehind: (place: ChunkPlace) => boolean,
): { number: number; place: ChunkPlace } | null {
  let [low, high] = [0, places.length]
  while (low < high) {
    const middle = (low + high) >> 1
    const place = places[middle]
    if (place && isBehind(place)) high = middle
    else low = middle + 1
  }
  const place = places[low - 1]
  return place ? { number: low - 1, place } : null
}
