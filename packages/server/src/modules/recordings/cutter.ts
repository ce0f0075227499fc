import type { NextStep } from '../../platform/small-steps.ts'
import type { FileFacts } from './file-facts.ts'
import type { CountedCut } from './line.ts'
import { type Grid, isOneSegment, segmentCount, segmentRuns } from './segments.ts'
import { type Clip, filesOf, type Played, runsIn, sliceCount } from './slices.ts'

/** What begins at a key frame is written down in milliseconds, and may lie just before it. */
const ROUNDING_SECONDS = 0.02
/** Within a step. */
const AT_ONCE = 100

export interface MadeCut extends CountedCut {
  readonly slices: number
  /** Its longest segment, in seconds. */
  readonly longest: number
  /** More may come of its last segment. */
  readonly isOpen: boolean
}

interface Work {
  readonly owner: string
  readonly step: NextStep
  readonly signal?: AbortSignal | undefined
}

export type Cutter = ReturnType<typeof createCutter>

/** Finds the key frames at which what was sent can be cut. */
export function createCutter({ facts }: { facts: FileFacts }) {
  /** The key frames of what is played of a clip; of what is short nothing has to be known. */
  async function gridsOf(clip: Clip, work: Work, isAsked: (key: string) => boolean = () => false) {
    const grids = new Map<string, Grid>()
    for (const file of filesOf(clip)) {
      if (!isOneSegment(file) || isAsked(file.key)) grids.set(file.key, await facts.gridOf(work.owner, file, work))
    }
    return (key: string): Grid => grids.get(key) ?? []
  }

  /** Those of one clip: its file is asked once, and forgotten before the next one. */
  async function cutClip(clip: Clip, played: readonly Played[], work: Work): Promise<MadeCut[]> {
    const begins: ReturnType<typeof beginOf>[] = []
    const asked = new Map<string, Set<number>>()
    for (const [index, each] of played.entries()) {
      if (index % AT_ONCE === 0) await work.step(work.signal)
      const begin = beginOf(each)
      begins.push(begin)
      if (!begin) continue
      const marks = asked.get(begin.key) ?? new Set()
      asked.set(begin.key, marks.add(begin.mark))
    }
    const gridOf = await gridsOf(clip, work, (key) => asked.has(key))
    const found = new Map<string, { shown: number; decoded: number } | null>()
    for (const [key, marks] of asked) {
      const sorted = [...marks].sort((one, other) => one - other)
      const frames = await facts.framesAt({ owner: work.owner, key, signal: work.signal }, sorted)
      for (const [index, mark] of sorted.entries()) found.set(`${key} ${mark}`, frames[index] ?? null)
    }
    const cuts: MadeCut[] = []
    for (const [index, each] of played.entries()) {
      if (index % AT_ONCE === 0) await work.step(work.signal)
      const begin = begins[index]
      const frame = begin ? (found.get(`${begin.key} ${begin.mark}`) ?? null) : null
      // Before the first key frame lies nothing but sound.
      const isLater = begin && frame && frame.shown > (gridOf(begin.key)[0]?.shown ?? 0)
      const cut = { ...each, begin: isLater ? frame : null }
      const runs = segmentRuns(cut, gridOf)
      const longest = runs.reduce((most, run) => Math.max(most, ...run.segments.map(({ seconds }) => seconds)), 0)
      const isOpen = runs.at(-1)?.segments.at(-1)?.isOpen ?? false
      const segments = segmentCount(runs)
      const seconds = segments === 1 ? longest : null
      cuts.push({ ...cut, slices: sliceCount(each), segments, seconds, longest, isOpen })
    }
    return cuts
  }

  return {
    gridsOf,
    /** In the order in which they were given. */
    async cut(played: readonly Played[], work: Work): Promise<MadeCut[]> {
      const clips = new Map<string, { clip: Clip; indexes: number[] }>()
      for (const [index, { clip }] of played.entries()) {
        if (index % AT_ONCE === 0) await work.step(work.signal)
        const name = JSON.stringify([clip.key, clip.tailKey, clip.list, clip.looping])
        const own = clips.get(name) ?? { clip, indexes: [] }
        own.indexes.push(index)
        clips.set(name, own)
      }
      const made = new Array<MadeCut>(played.length)
      for (const { clip, indexes } of clips.values()) {
        const own = indexes.flatMap((index) => played[index] ?? [])
        const cuts = await cutClip(clip, own, work)
        for (const [place, index] of indexes.entries()) {
          const cut = cuts[place]
          if (cut) made[index] = cut
        }
      }
      return made
    },
  }
}

/** Where it has to be cut at a key frame; null: it begins with its file. */
function beginOf(played: Played): { key: string; mark: number } | null {
  const first = runsIn(played)[0]?.slices[0]
  if (!first || first.from <= first.fileFrom) return null
  return { key: first.key, mark: first.startSeconds + first.from + ROUNDING_SECONDS }
}
