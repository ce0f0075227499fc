/** A part of a recording, in its own seconds. */
export interface Part {
  readonly from: number
  readonly to: number
}

/** Null: all of it, also what is still to come. */
export type Choice = Part | null

/** A part is not shorter, unless the recording is. */
const SHORTEST_S = 1

const within = (value: number, least: number, most: number): number => Math.min(Math.max(value, least), most)
const toMs = (seconds: number): number => Math.round(seconds * 1000) / 1000

const wholeOf = (total: number): Part => ({ from: 0, to: total })

export const partOf = (choice: Choice, total: number): Part => choice ?? wholeOf(total)

const choiceOf = ({ from, to }: Part, total: number): Choice =>
  // Rounded up, the end would lie behind that of the recording.
  from <= 0 && to >= total ? null : { from: toMs(from), to: Math.min(toMs(to), total) }

/** A handle stops before the other one. */
export function moveEdge(choice: Choice, edge: keyof Part, seconds: number, total: number): Choice {
  const part = partOf(choice, total)
  const shortest = Math.min(SHORTEST_S, total)
  const moved =
    edge === 'from'
      ? { ...part, from: within(seconds, 0, part.to - shortest) }
      : { ...part, to: within(seconds, part.from + shortest, total) }
  return choiceOf(moved, total)
}

/** To begin or end where somebody is in the recording. Where that lies beyond the other edge, the other one goes to its end of the recording. */
export function edgeHere(choice: Choice, edge: keyof Part, seconds: number, total: number): Choice {
  const part = partOf(choice, total)
  const isBeyond = edge === 'from' ? seconds >= part.to : seconds <= part.from
  const other = wholeOf(total)
  return moveEdge(isBeyond ? other : choice, edge, seconds, total)
}

const BIG_STEP_S = 60

/** Where a key takes a slider; null: it is none of its keys. */
export function keyTarget(key: string, seconds: number, total: number, step: number): number | null {
  switch (key) {
    case 'ArrowLeft':
    case 'ArrowDown':
      return within(seconds - step, 0, total)
    case 'ArrowRight':
    case 'ArrowUp':
      return within(seconds + step, 0, total)
    case 'PageDown':
      return within(seconds - BIG_STEP_S, 0, total)
    case 'PageUp':
      return within(seconds + BIG_STEP_S, 0, total)
    case 'Home':
      return 0
    case 'End':
      return total
    default:
      return null
  }
}
