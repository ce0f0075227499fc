import type { RoomState } from '@siarin/contracts/online'
import { BIGO_TEXTS } from '@siarin/contracts/texts'
import { type Egress, EgressRefused } from '../../platform/egress/egress.ts'
import { callPlatform } from './call-platform.ts'
import { noRoom, readRoom } from './read-room.ts'

/** A room at this moment. */
export interface Room {
  readonly state: RoomState
  /** The state in words. */
  readonly message: string
  readonly nickname: string | null
  /** Where it can be played while it is live. */
  readonly url: URL | null
}

export type AskRoom = (siteId: string) => Promise<Room>

const PATH = '/official_website/studio/getInternalStudioInfo'
const TIMEOUT_MS = 6_000

/** The plain call: where Bigo guards its rooms it says no, and that is its answer. */
export function createBigoClient({ apiUrl, egress }: { apiUrl: string; egress: Pick<Egress, 'parse'> }): AskRoom {
  const address = new URL(PATH, apiUrl)
  return async (siteId) => {
    const body = new URLSearchParams({ siteId })
    const answer = await callPlatform(address, { method: 'POST', body, timeoutMs: TIMEOUT_MS })
    const { source, ...room } = answer ? readRoom(answer) : noRoom('unreachable')
    try {
      return { ...room, url: source === null ? null : egress.parse(source) }
    } catch (error) {
      if (!(error instanceof EgressRefused)) throw error
      return { ...room, state: 'offline', message: BIGO_TEXTS.offline, url: null }
    }
  }
}
