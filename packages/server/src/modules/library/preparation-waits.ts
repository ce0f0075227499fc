import { fpsOf, parseRecipe } from '@siarin/contracts/recipes'
import { estimateWaits, type QueuedWork, type Wait } from './estimate-waits.ts'
import { estimateSeconds, measuredPace } from './estimate-work.ts'
import { atOnce, laneOf } from './lanes.ts'
import type { LibraryRepo } from './library.repo.ts'
import type { OrderKey, RenditionOrdersRepo } from './rendition-orders.repo.ts'

interface WaitsDeps {
  orders: Pick<RenditionOrdersRepo, 'allOpen'>
  repo: Pick<LibraryRepo, 'preparations'>
  mayWork: (userId: string) => Promise<boolean>
  maxLongPreparations: number
  /** A clock that nobody sets. */
  steady?: () => number
}

export type PreparationWaits = () => Promise<ReadonlyMap<string, Wait>>

/** However many pages ask: each looks every two seconds. */
const KEPT_MS = 1_000
/** Those before them are enough to say that it takes long. */
const MOST_WORKS = 500

/** What waits is known by this, beside the ids of videos. */
export const orderId = ({ video_id, recipe }: OrderKey): string => `${video_id} ${recipe}`

/** A rendition takes as long as making its picture does. */
function orderedWork(order: Awaited<ReturnType<RenditionOrdersRepo['allOpen']>>[number]) {
  const { width = 0, height = 0, fps = '30/1' } = parseRecipe(order.recipe) ?? {}
  return { ...order, id: orderId(order), lane: 'long', width, height, fps: fpsOf({ fps }), video_codec: null }
}

/** How long each video that waits will wait, by id. By the rows alone: other machines may be at work on them. */
export function createPreparationWaits(deps: WaitsDeps): PreparationWaits {
  const { repo, mayWork, steady = () => performance.now() } = deps
  const places = atOnce(deps)
  let known: { readonly at: number; readonly waits: Promise<ReadonlyMap<string, Wait>> } | null = null

  async function estimate(): Promise<ReadonlyMap<string, Wait>> {
    const [videos, ordered] = await Promise.all([repo.preparations(MOST_WORKS), deps.orders.allOpen(MOST_WORKS)])
    const rows = [...videos, ...ordered.map(orderedWork)]
    const owners = [...new Set(rows.map(({ user_id }) => user_id))]
    const mayGoOn = await Promise.all(owners.map(mayWork))
    const resting = new Set(owners.filter((_, index) => !mayGoOn[index]))
    const pace = measuredPace(rows)
    const works = rows
      .filter(({ user_id }) => !resting.has(user_id))
      .map(
        (row): QueuedWork => ({
          id: row.id,
          userId: row.user_id,
          lane: laneOf(row),
          isRunning: row.progress !== null,
          createdAt: row.created_at,
          seconds: estimateSeconds(row, pace),
        }),
      )
    return estimateWaits(works, places)
  }

  return () => {
    if (known && steady() - known.at < KEPT_MS) return known.waits
    const asked = { at: steady(), waits: estimate() }
    known = asked
    // A failure is told once, and not kept.
    asked.waits.catch(() => {
      if (known === asked) known = null
    })
    return asked.waits
  }
}
