import { availableParallelism } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { keyframesFromArgs } from '@siarin/media/argv/probe'
import { createBoundedMap } from '../../../platform/bounded-map.ts'
import { createFairTurns } from '../../../platform/fair-turns.ts'
import type { FileVersion, Probe } from './file-facts.ts'

/** A broadcast that is off air waits no longer for its place in the video: on air from the start is better than off air. */
const KEYFRAME_MS = 1_500
/** A look that takes longer goes on beside the others. Usually it takes a tenth of a second. */
const KEYFRAME_PLACE_MS = 250
const MOST_STRETCHES = 1_000

interface Played extends FileVersion {
  readonly loop: { readonly list: { readonly startSeconds: number } } | null
}

/** Part of a video, by its own clock in seconds: its key frames, the first of which it begins with. */
interface Stretch {
  readonly keys: readonly number[]
  readonly until: number
}

/**
 * Where in a video a broadcast can begin. ffprobe needs a core for a tenth of a second, and twenty targets that start at once begin with one
 * video at nearly one place: so a look brings the key frames of the seconds that follow as well, and the others find theirs there.
 */
export function createKeyframes(probe: Probe) {
  const cores = availableParallelism()
  // Those of one owner leave the others room (see start-in-turns).
  const inTurn = createFairTurns({
    atOnce: 2 * cores,
    each: Math.max(1, cores - 1),
    mostWaiting: Infinity,
    mostWaitingEach: Infinity,
  })
  const stretches = createBoundedMap<Stretch>(MOST_STRETCHES)

  /** Nothing where it is not found in time. Those that time out hold up the line for a moment each, however many they are. */
  function look(file: string, args: string[], seconds: number, owner: string): Promise<Stretch | null> {
    const until = performance.now() + KEYFRAME_MS
    const { promise: found, resolve } = Promise.withResolvers<Stretch | null>()
    const timer = setTimeout(resolve, KEYFRAME_MS, null)
    inTurn(owner, async () => {
      const leftMs = until - performance.now()
      if (leftMs <= 0) return
      // Another may have looked there meanwhile.
      const known = stretches.get(file)
      if (known && isWithin(known, seconds)) return resolve(known)
      const asked = probe(args, leftMs).then(
        (text) => {
          const stretch = parseStretch(text ?? '')
          if (stretch) stretches.set(file, stretch)
          resolve(stretch)
        },
        () => resolve(null),
      )
      await Promise.race([asked, sleep(KEYFRAME_PLACE_MS, undefined, { ref: false })])
    }).catch(() => resolve(null))
    return found.finally(() => clearTimeout(timer))
  }

  /** The key frame at or before a position, in seconds; the start where none can be found in time. */
  return async function keyframeBefore(
    { path, version, loop }: Played,
    positionMs: number,
    owner: string,
  ): Promise<number> {
    if (positionMs < 1_000) return 0
    // A list counts from where its file begins, a file by itself from zero.
    const startSeconds = loop?.list.startSeconds ?? 0
    const seconds = positionMs / 1000 + startSeconds
    const stretch = await look(`${version ?? ''} ${path}`, keyframesFromArgs(path, seconds), seconds, owner)
    const found = (stretch?.keys.findLast((key) => key <= seconds) ?? stretch?.keys[0] ?? 0) - startSeconds
    return Math.max(found, 0)
  }
}

const isWithin = ({ keys: [first = 0], until }: Stretch, seconds: number): boolean =>
  first <= seconds && seconds < until

/** Null: it does not begin with a key frame. */
function parseStretch(text: string): Stretch | null {
  const packets = text.split('\n').flatMap((line) => {
    const [seconds = '', flags = ''] = line.split(',')
    return seconds !== '' && Number.isFinite(Number(seconds))
      ? { seconds: Number(seconds), isKey: flags.startsWith('K') }
      : []
  })
  if (!packets[0]?.isKey) return null
  const keys = packets.flatMap(({ seconds, isKey }) => (isKey ? seconds : []))
  return { keys: keys.toSorted((one, other) => one - other), until: Math.max(...packets.map(({ seconds }) => seconds)) }
}
