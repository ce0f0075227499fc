import { z } from 'zod'
import type { Clock } from '../../platform/clock.ts'
import type { Sealer } from '../../platform/secrets/seal.ts'
import { createTickets } from '../../platform/secrets/tickets.ts'

/** Leave for one user to see one address through us, for a while. */
export interface Ticket {
  readonly userId: string
  /** The API key under which it was given: with another key it counts no more. */
  readonly keyMark: string
  readonly url: URL
  readonly expiresAt: number
}

/** Some players go by the name that an address ends in. */
export type PreviewKind = 'playlist' | 'part'

export interface PreviewTickets {
  /** A path that a player can open without a header. The same for the same address, for a quarter of an hour. */
  path(ticket: Ticket, kind: PreviewKind): string
  /** Null: not one of ours. It may have expired. */
  read(sealed: string): Ticket | null
  expiry(): number
}

/** For one user, under the API key of now. */
export type PreviewsOf = (userId: string) => Promise<(url: URL) => string>

export const PREVIEW_ROOT = '/fitur/online/preview'

const LIFE_MS = 3_600_000
/** A caller who asks again within this time gets the same address, and the player that has it plays on. */
const STEP_MS = 900_000
const KEPT_EXTENSION = /\.(?:ts|m2ts|m4s|m4v|m4a|mp4|cmf[va]|aac|ac3|mp3|vtt|webvtt|key)$/i

const Sealed = z.object({ preview: z.string(), key: z.string(), url: z.string(), exp: z.number() })

export function createPreviewTickets({ sealer, clock }: { sealer: Sealer; clock: Clock }): PreviewTickets {
  const tickets = createTickets({ sealer, clock, schema: Sealed, lifeMs: LIFE_MS, stepMs: STEP_MS })
  return {
    path({ userId, keyMark, url, expiresAt }, kind) {
      const ticket = tickets.seal({ preview: userId, key: keyMark, url: url.href, exp: expiresAt })
      return `${PREVIEW_ROOT}/${ticket}/${kind === 'playlist' ? 'index.m3u8' : partName(url)}`
    },
    read(sealed) {
      const ticket = tickets.read(sealed)
      const url = ticket && URL.parse(ticket.url)
      return ticket && url && { userId: ticket.preview, keyMark: ticket.key, url, expiresAt: ticket.exp }
    },
    expiry: tickets.expiry,
  }
}

const partName = (url: URL): string => `part${KEPT_EXTENSION.exec(url.pathname)?.[0].toLowerCase() ?? ''}`
