import { parseRecipe } from '@siarin/contracts/recipes'
import { storedReasonText } from '@siarin/contracts/video-reasons'
import type { Rendition } from '@siarin/contracts/videos'
import type { BrandLooks, FrozenLook } from '../branding/brand-looks.ts'
import type { Wait } from './estimate-waits.ts'
import { orderId, type PreparationWaits } from './preparation-waits.ts'
import type { MadeRendition, OrderRow } from './rendition-orders.repo.ts'
import type { VideoRow } from './video-row.ts'

interface ViewsDeps {
  waits: PreparationWaits
  looks: Pick<BrandLooks, 'of'>
}

const lookOf = ({ recipe }: { recipe: string }): string | undefined => parseRecipe(recipe)?.look

/** Shows the renditions of one owner's videos. */
export const createRenditionViews =
  ({ waits: waitsOf, looks }: ViewsDeps) =>
  async (
    owner: string,
    { made, orders }: { made: readonly MadeRendition[]; orders: readonly OrderRow[] },
  ): Promise<(video: VideoRow) => Rendition[]> => {
    const isWaiting = orders.some(({ state, progress }) => state !== 'failed' && progress === null)
    const waits = isWaiting ? await waitsOf() : new Map<string, Wait>()
    const known = await looks.of(
      owner,
      [...made, ...orders].flatMap((one) => lookOf(one) ?? []),
    )
    const lookedAt = (one: { recipe: string }): FrozenLook['look'] | null => known.get(lookOf(one) ?? '')?.look ?? null
    // Once for all: somebody with thousands of videos has ten thousands of these.
    const madeOf = Map.groupBy(made, ({ video_id }) => video_id)
    const ordersOf = Map.groupBy(orders, ({ video_id }) => video_id)
    return (video) => [
      ...(madeOf.get(video.id) ?? []).map((one) => ({ ...readyView(one, video), look: lookedAt(one) })),
      ...(ordersOf.get(video.id) ?? []).map((one) => ({
        ...orderView(one, waits.get(orderId(one)) ?? null),
        look: lookedAt(one),
      })),
    ]
  }

const readyView = ({ recipe, bytes }: MadeRendition, { duration_ms }: VideoRow): Rendition => ({
  ...{ recipe, state: 'ready', progress: null, secondsLeft: null, queue: null, reason: null, size: bytes },
  // Bits per millisecond are kilobits per second.
  bitrate: duration_ms ? Math.round((bytes * 8) / duration_ms) : null,
})

const orderView = ({ recipe, state, progress, seconds_left, reason }: OrderRow, wait: Wait | null): Rendition => ({
  ...{ recipe, state, progress, secondsLeft: seconds_left, size: 0, bitrate: null },
  queue: state !== 'failed' && progress === null ? wait : null,
  reason: reason === null ? null : storedReasonText(reason),
})
