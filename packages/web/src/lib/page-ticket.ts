import type { TicketAnswer } from '@siarin/contracts/auth'
import { http } from './http.ts'
import { logError } from './log.ts'
import { getSession } from './session.ts'
import { createStore, useStore } from './store.ts'

/** What stands in the addresses that the browser loads by itself, where a key must not: pictures, videos, events. */
interface HeldTicket {
  /** The session for which it was given. */
  readonly token: string
  readonly ticket: string
  readonly expiresAt: number
}

/** A film that begins now should not lose its address on the way. */
const RENEW_BEFORE_MS = 3_600_000

const held = createStore<HeldTicket | null>(null)
let asking: Promise<void> | null = null

const ofThisSession = (ticket: HeldTicket | null): HeldTicket | null =>
  ticket?.token === getSession().token ? ticket : null

/** Empty while there is none: a caller that lists videos asks for it along with them. */
export const pageTicket = (): string => ofThisSession(held.get())?.ticket ?? ''

export function usePageTicket(): string {
  useStore(held)
  return pageTicket()
}

async function fetchTicket(): Promise<void> {
  const { token, user } = getSession()
  if (!token || !user) return
  try {
    const server = user.server.replace(/\/+$/, '')
    const { data } = await http.post<Partial<TicketAnswer>>(`${server}/fitur/video/ticket`)
    if (data.data) held.set({ token, ticket: data.data.ticket, expiresAt: Date.parse(data.data.expiresAt) })
  } catch (error) {
    // The list that was asked for at the same time says what is wrong.
    logError('No ticket for pictures and videos', error)
  }
}

/** The server gives the same one again for as long as it is good. */
export function renewPageTicket(): Promise<void> {
  asking ??= fetchTicket().finally(() => {
    asking = null
  })
  return asking
}

/** Never fails: without a ticket there is a list without pictures. */
export async function ensurePageTicket(): Promise<void> {
  const ticket = ofThisSession(held.get())
  if (!ticket || ticket.expiresAt - Date.now() < RENEW_BEFORE_MS) await renewPageTicket()
}
