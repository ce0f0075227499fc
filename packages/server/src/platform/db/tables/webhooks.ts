import type { Generated } from 'kysely'

/** An address of somebody's own program, which is told what happens. */
export interface WebhookEndpointTable {
  id: string
  user_id: string
  /** Addresses carry tokens. */
  url_sealed: string
  description: string
  /** As JSON: the names of the events that it wants. */
  events: string
  secret_sealed: string
  /** The secret before, which signs too until `old_secret_until`. */
  old_secret_sealed: string | null
  old_secret_until: number | null
  /** 'active', 'paused', 'disabled', or 'removing': it goes, and nobody sees it any more. */
  state: Generated<string>
  /** A code: 'plan', 'gone', 'failing'; null: its owner paused it, or it is active. */
  state_reason: string | null
  /** Since when no try has worked; null: the last one did, or there was none. */
  failing_since: number | null
  /** How many of its deliveries went because too many waited. */
  dropped: Generated<number>
  /** A fact of the outbox: what was told up to then was before its time. */
  after_fact: Generated<number>
  created_at: number
}

/** One event on its way to one endpoint. */
export interface WebhookDeliveryTable {
  /** The `webhook-id` of every try. */
  id: string
  endpoint_id: string
  user_id: string
  /** Its fact of the outbox: the order of deliveries follows from it. Null: a test. */
  fact_id: number | null
  event: string
  /** What it is about. Deliveries about one subject go one after the other. */
  subject: string
  body: string
  /** 'waiting', 'delivered' or 'failed'. */
  state: string
  /** 0: sent again by hand, out of turn. */
  in_order: Generated<number>
  /** Rises with each claim since `since_at`: a holder with older ones can write nothing any more. */
  tries: Generated<number>
  /** When it is tried next, or when a claim lapses: it counts while its endpoint is active. Null: it is over, or an earlier one is before it. */
  due_at: number | null
  created_at: number
  /** From when on its tries count: when it was made or had its turn, was sent again, or its endpoint was resumed. */
  since_at: number
  /** The time of the last try, and what came of it. */
  tried_at: number | null
  status: number | null
  /** A code of contracts/webhook-texts; null: nothing was wrong. */
  result: string | null
  duration_ms: number | null
  answer: string | null
  finished_at: number | null
}
