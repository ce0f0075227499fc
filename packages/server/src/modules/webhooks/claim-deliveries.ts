import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../../platform/clock.ts'
import type { Changes } from '../../platform/db/changes.ts'
import type { DeliveryQueue, DeliveryRow } from './delivery-queue.repo.ts'
import type { EndpointRow, EndpointsRepo } from './endpoints.repo.ts'
import { createPlaces, PLACES, type Placed } from './places.ts'

interface ClaimDeliveriesDeps {
  readonly queue: Pick<DeliveryQueue, 'due' | 'claim' | 'nextAfter'>
  readonly endpoints: Pick<EndpointsRepo, 'byIds'>
  readonly changes: Pick<Changes, 'of' | 'seesOthers'>
  readonly clock: Clock
  readonly claimMs: number
}

/** A delivery that is ours to try, and the place that it holds meanwhile. */
export interface Claimed {
  readonly row: DeliveryRow
  readonly endpoint: EndpointRow
  readonly place: Placed
}

const FEW = PLACES.inAll / 2
const GATHER_MS = 3

/** Takes what is due and has a place. While nothing happens it asks the database nothing. */
export function createClaims({ queue, endpoints, changes, clock, claimMs }: ClaimDeliveriesDeps) {
  const places = createPlaces()
  /** Under way here. A claim may lapse meanwhile: then it is still ours, and holds one place. */
  const ours = new Set<string>()
  const written = changes.of(['webhook_deliveries', 'webhook_endpoints'])
  /** What the last look saw: until something is written or due, or a place is free again, there is nothing to look for. */
  let seen = -1
  let nextAt: number | null = 0
  let hasRoom = false
  /** Whose turn was last. */
  let lastUser = ''

  async function claimSome(most: number): Promise<{ claimed: Claimed[]; more: boolean }> {
    const due = await queue.due(clock.now(), places.full(), lastUser)
    const chosen = new Map<string, Placed>()
    for (const each of due.rows) {
      if (ours.has(each.id) || chosen.size >= most || !places.take(each)) continue
      chosen.set(each.id, each)
      if (each.rank === 0) lastUser = each.user_id
    }
    if (chosen.size === 0) return { claimed: [], more: false }
    try {
      const rows = await queue.claim([...chosen.keys()], clock.now(), claimMs)
      const told = await endpoints.byIds([...new Set(rows.map(({ endpoint_id }) => endpoint_id))])
      const claimed = rows.flatMap((row): Claimed[] => {
        const [endpoint, place] = [told.get(row.endpoint_id), chosen.get(row.id)]
        return endpoint && place ? [{ row, endpoint, place }] : []
      })
      for (const { row } of claimed) {
        chosen.delete(row.id)
        ours.add(row.id)
      }
      return { claimed, more: due.more }
    } finally {
      // Another program was quicker, or the database did not answer.
      for (const place of chosen.values()) places.give(place)
    }
  }

  return {
    noteDuration: places.noteDuration,
    /** This program or another has deleted them. */
    async forgetGone(): Promise<void> {
      const { slow } = places.full()
      const there = await endpoints.byIds(slow)
      for (const id of slow) if (!there.has(id)) places.forget(id)
    },
    moveAside({ place }: Claimed): void {
      places.moveAside(place)
      hasRoom = true
    },
    give({ row, place }: Claimed): void {
      ours.delete(row.id)
      places.give(place)
      hasRoom = true
    },
    async claim(most: number): Promise<Claimed[]> {
      // Others are about to end: to look once for all of them costs as much as to look for one.
      if (most < FEW) await sleep(GATHER_MS)
      const version = written.version()
      const lookedAt = clock.now()
      const isQuiet = version === seen && !hasRoom && (nextAt === null || lookedAt < nextAt)
      if (changes.seesOthers && isQuiet) return []
      // A look that fails has seen nothing.
      seen = -1
      hasRoom = false
      const all: Claimed[] = []
      // A look that found nothing but one endpoint's has filled its places: the next one sees behind it.
      for (let more = true; more && all.length < most; ) {
        const some = await claimSome(most - all.length)
        all.push(...some.claimed)
        more = some.more && some.claimed.length > 0
      }
      // What is due and has no place waits for one.
      nextAt = all.length < most ? await queue.nextAfter(lookedAt) : 0
      seen = version
      return all
    },
  }
}
