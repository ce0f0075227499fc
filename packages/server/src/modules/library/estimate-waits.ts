import type { Lane } from './lanes.ts'

/** A video that is being prepared or waits for it. */
export interface QueuedWork {
  readonly id: string
  readonly userId: string
  readonly lane: Lane
  readonly isRunning: boolean
  readonly createdAt: number
  /** About how much there is still to be done. */
  readonly seconds: number
}

export interface Wait {
  /** Videos that are begun before it and not done yet, its owner's others among them. */
  readonly ahead: number
  /** About how long until it is ready, rounded up: nobody is promised anything. */
  readonly seconds: number
}

interface Turn {
  readonly work: QueuedWork
  readonly endsAt: number
}

/**
 * How long each video that waits will wait, by the rule that the lanes work by: users in turn, one video of a user at a time. What would
 * begin at once does not wait. Several machines may work on a lane: then as many run as are seen running.
 */
export function estimateWaits(
  works: readonly QueuedWork[],
  atOnce: Readonly<Record<Lane, number>>,
): ReadonlyMap<string, Wait> {
  const waits = new Map<string, Wait>()
  for (const lane of ['quick', 'long'] as const) {
    const inLane = works.filter((work) => work.lane === lane)
    for (const [id, wait] of laneWaits(inLane, atOnce[lane])) waits.set(id, wait)
  }
  return waits
}

function laneWaits(works: readonly QueuedWork[], places: number): [string, Wait][] {
  const running = works.filter(({ isRunning }) => isRunning).map((work): Turn => ({ work, endsAt: work.seconds }))
  const most = Math.max(places, running.length)
  const line = lineOf(works)
  // Users whose video runs join the line again when it is done, behind those who wait by then.
  const waitingUsers = [...line.keys()].filter((userId) => !running.some(({ work }) => work.userId === userId))
  const waits: [string, Wait][] = []
  let begun = running.length
  let now = 0
  while (running.length > 0 || waitingUsers.length > 0) {
    const userId = running.length < most ? waitingUsers.shift() : undefined
    if (userId === undefined) {
      const over = takeFirstToEnd(running)
      now = over.endsAt
      if ((line.get(over.work.userId)?.length ?? 0) > 0) waitingUsers.push(over.work.userId)
      continue
    }
    const work = line.get(userId)?.shift()
    if (!work) continue
    const endsAt = now + work.seconds
    if (now > 0) waits.push([work.id, { ahead: begun, seconds: rounded(endsAt) }])
    running.push({ work, endsAt })
    begun++
  }
  return waits
}

/** What waits, by user, oldest first; the user whose oldest is the oldest comes first. */
function lineOf(works: readonly QueuedWork[]): Map<string, QueuedWork[]> {
  const line = new Map<string, QueuedWork[]>()
  const waiting = works.filter(({ isRunning }) => !isRunning)
  for (const work of waiting.toSorted((one, other) => one.createdAt - other.createdAt)) {
    line.set(work.userId, [...(line.get(work.userId) ?? []), work])
  }
  return line
}

function takeFirstToEnd(running: Turn[]): Turn {
  const first = running.reduce((one, other) => (other.endsAt < one.endsAt ? other : one))
  running.splice(running.indexOf(first), 1)
  return first
}

/** In tens of seconds below two minutes, in minutes below two hours, then in quarters of an hour. */
function rounded(seconds: number): number {
  const step = seconds < 120 ? 10 : seconds < 7200 ? 60 : 900
  return Math.max(step, Math.ceil(seconds / step) * step)
}
