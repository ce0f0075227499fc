import type { Generated } from 'kysely'

/** What analytics knows of a stream. It outlives the facts that it was made of. */
export interface StatStreamTable {
  /** Short, since each figure carries it. Never given twice. */
  id: Generated<number>
  stream_id: string
  broadcast_id: string
  user_id: string
  /** As they were when it was first seen. */
  title: string
  platform: string
  target_name: string | null
  asked_at: number
  /** From here on all of it is known: later than the request where it was on air before analytics was there. */
  known_from: number
  first_live_at: number | null
  ended_at: number | null
  /** 'stopped', 'finished' or 'failed'; null: it is wanted. */
  end_reason: string | null
  /** A code; null: its owner wanted it. */
  end_cause: string | null
  /** When figures last said that it was on air, to the minute. */
  seen_at: number | null
  /** What started it; null: a person. */
  schedule_id: string | null
  schedule_title: string | null
  schedule_due_at: number | null
  /** What its spans come to that are counted. */
  on_air_ms: Generated<number>
  incidents: Generated<number>
  longest_run_ms: Generated<number>
  /** 1: its broadcast is in `stat_broadcasts`; null: not yet, since an older version wrote this. */
  listed: Generated<number | null>
}

/** When the first stream of a broadcast was asked for. */
export interface StatBroadcastTable {
  broadcast_id: string
  user_id: string
  asked_at: number
}

/** The life of a stream in stretches, one after the other: 'run' on air, 'incident' off air and to come back. */
export interface StatSpanTable {
  id: Generated<number>
  stream_no: number
  kind: string
  began_at: number
  /** Null: it lasts. */
  ended_at: number | null
  /** The reason of an incident: a code of contracts/stream-reason-texts. */
  reason: string | null
  planned: Generated<number>
  /** The outcome of an incident that is over: 'recovered', 'ended' or 'failed'. */
  outcome: string | null
  /** See SPAN_COUNTED of analytics/span-sums. */
  counted: Generated<number>
  /** How many incidents this row stands for: those of a line that flaps are folded into one. */
  times: Generated<number>
  /** How long they lasted together; null: it is one, and lasted from its begin to its end. */
  off_air_ms: Generated<number | null>
  /** Finds the incidents of a workspace in the order of time. Null: a run, or a row from before this was kept. */
  user_id: Generated<string | null>
}

/** What the spans of a workspace come to in one hour or quarter of an hour: see analytics/span-sums. */
export interface StatSumTable {
  user_id: string
  /** 60 or 15 minutes, and which one since 1970. */
  grain: number
  at: number
  platform: string
  /** That of the incidents; '': the runs. */
  reason: string
  on_air_ms: number
  off_air_ms: number
  /** Those that began in it. */
  incidents: number
  /** The longest run that began in it; 0: none did. */
  longest_ms: number
  longest_at: number
  longest_no: number
}

/** One look at one stream. Small numbers: five hundred streams make seventeen million of these in two days. */
export interface StatSampleTable {
  /** Which five seconds since 1970. */
  at: number
  stream_no: number
  kbps: number | null
  unsent_kb: number
  /** See SAMPLE_STATES of analytics/sample-rules. */
  state: number
  /** Frames in ten seconds. */
  fps: number | null
  /** In thousandths. */
  speed: number | null
}

/** Samples of a minute or an hour together; averages are of those that had figures. */
export interface StatRollupTable {
  /** Which minute or hour since 1970. */
  at: number
  stream_no: number
  kbps: number | null
  kbps_min: number | null
  kbps_max: number | null
  unsent_kb: number
  samples: number
  live: number
  /** How many had figures. */
  measured: number
  fps: number | null
  speed: number | null
}

/** How far something has come. */
export interface StatPlaceTable {
  name: string
  at: number
}

/** Who gets the report of each month by e-mail. */
export interface StatReportTable {
  user_id: string
  is_on: number
  zone: string
  /** The last month whose report was sent, as `2026-11`. */
  last_month: string | null
}
