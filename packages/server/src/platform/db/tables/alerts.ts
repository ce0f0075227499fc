import type { Generated } from 'kysely'

/** What each workspace wants to be told. Without a row: the defaults. */
export interface AlertSettingsTable {
  user_id: string
  /** JSON of contracts/alerts `AlertSettings`. */
  settings: string
  updated_at: number
}

/** What is remembered of something that may be told, or was. */
export interface AlertIncidentTable {
  /** The kind and the id of its subject. */
  id: string
  user_id: string
  /** JSON: see modules/alerts/alert-rules.ts. */
  state: string
  /** When time alone has something to tell. */
  due_at: number | null
  updated_at: number
}

/** What was told: the list in the app, and what deliveries are made from. */
export interface AlertTable {
  id: Generated<number>
  user_id: string
  kind: string
  /** When it happened. */
  at: number
  created_at: number
  subject_id: string | null
  /** What it is about: messages about one topic stay in order. */
  topic: string
  /** JSON: names, codes and figures; the words are made where they are shown. */
  details: string
  /** 0: its owner wants this kind by channels alone. */
  in_app: number
  read_at: number | null
}

/** Where a workspace is told. */
export interface AlertChannelTable {
  id: string
  user_id: string
  kind: string
  name: string
  /** What can be shown of the destination. */
  hint: string
  destination_sealed: string
  /** 'on', 'off', or 'gone': switched off by us. */
  state: string
  created_at: number
  /** What the other side last said. */
  last_at: number | null
  last_ok: number | null
  last_answer: string | null
  /** When the next message may go; null: none waits. */
  due_at: number | null
  /** After a failure: not before. */
  retry_at: number | null
  /** Who works on it has it until then, and only while `claims` is what they were given. */
  claimed_until: number | null
  claims: Generated<number>
  /** The hour in which messages are counted. */
  hour_from: number | null
  hour_count: Generated<number>
  /** 1: there were too many in the hour; what waited meanwhile goes as one. */
  is_crowded: Generated<number>
}

/** One alert on its way to one channel. */
export interface AlertDeliveryTable {
  id: Generated<number>
  alert_id: number
  channel_id: string
  topic: string
  /** 'waiting', 'sent', 'refused', 'given-up' or 'dropped'. */
  state: string
  /** Not before. */
  due_at: number
  /** 1: it waits for the end of quiet hours. */
  is_held: number
  /** Those with the same one go as one message, of this id. */
  bundle: string | null
  tries: Generated<number>
  created_at: number
  done_at: number | null
}
