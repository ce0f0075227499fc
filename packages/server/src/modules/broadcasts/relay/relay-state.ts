import type { RelayPlan } from '@siarin/media/relay-plan'
import type { SourceStatus } from './relay-source.ts'

/** What a relay remembers of its source. Times are of a clock that nobody sets. */
export interface RelayState {
  /** What the last look found, where nothing has happened since. */
  readonly ready: ReadySource | null
  readonly plan: KeptPlan | null
  /** Its picture is sent as it comes. */
  readonly copies: boolean
  readonly begunAtMs: number
  /** How often in a row it broke off soon after its beginning. */
  readonly quickEnds: number
  readonly restsUntilMs: number
  /** What it offered when nothing came any more, or when it was last begun. */
  readonly staleMark: string | null
  /** Nothing came any more, and it has not been looked at since. */
  readonly isDry: boolean
  /** How many looks in a row found it past the plan. One may meet an advertisement, or measure wrongly. */
  readonly growthsSeen: number
  /** How often anything was begun. */
  readonly sessions: number
}

export interface ReadySource {
  readonly status: SourceStatus
  readonly plan: RelayPlan
  readonly atMs: number
}

export interface KeptPlan {
  /** The address that was probed. */
  readonly of: string
  readonly atMs: number
  readonly is: RelayPlan
}

/** A source that was just seen needs no second look. */
const JUST_SEEN_MS = 10_000
/** What a source holds seldom changes; asking takes seconds. */
const PLAN_KEPT_MS = 600_000
/** One that breaks off at once again and again is left alone for a while, and the stand-in is on air. */
const QUICK_END_MS = 10_000
const QUICK_ENDS_BEFORE_REST = 3
const REST_MS = 30_000
const GROWTHS_NEEDED = 2

export const newRelay = ({ copies }: Pick<RelayState, 'copies'>): RelayState => ({
  ready: null,
  plan: null,
  copies,
  begunAtMs: 0,
  quickEnds: 0,
  restsUntilMs: 0,
  staleMark: null,
  isDry: false,
  growthsSeen: 0,
  sessions: 0,
})

export const isResting = (state: RelayState, nowMs: number): boolean => nowMs < state.restsUntilMs

/** What a look says of a source that goes on and on. `away`: why there is nothing new to send; null: there is. */
export function judgeStatus(
  state: RelayState,
  status: Pick<SourceStatus, 'ended' | 'mark'>,
): { readonly state: RelayState; readonly away: string | null } {
  if (status.ended) return { state, away: 'the source has ended' }
  const staleMark = state.isDry ? status.mark : state.staleMark
  const away = status.mark === staleMark ? 'the source adds nothing' : null
  return { state: { ...state, staleMark, isDry: false }, away }
}

/** How the source at this address is sent, where that was found out a short while ago. */
export const knownPlan = ({ plan }: RelayState, address: string, nowMs: number): RelayPlan | null =>
  plan?.of === address && nowMs - plan.atMs <= PLAN_KEPT_MS ? plan.is : null

/** What was seen a moment ago, and can be begun without another look. */
export function freshlySeen({ ready, isDry, staleMark }: RelayState, nowMs: number): ReadySource | null {
  const isFresh = ready !== null && !isDry && nowMs - ready.atMs < JUST_SEEN_MS && ready.status.mark !== staleMark
  return isFresh ? ready : null
}

/** A session is about to begin with this. */
export const chosen = (state: RelayState, ready: ReadySource): RelayState => ({
  ...state,
  ready,
  staleMark: ready.status.mark,
})

export const sourceBegun = (state: RelayState, { copies, nowMs }: { copies: boolean; nowMs: number }): RelayState => ({
  ...state,
  copies,
  begunAtMs: nowMs,
})

/** The source added nothing for so long that its process was ended: what it offers now is old. */
export const wentDry = (state: RelayState): RelayState => ({ ...state, isDry: true, ready: null })

/** The process that sent the source ended by itself, and not for the target's sake. */
export function brokeOff(state: RelayState, now: { nowMs: number; hasFallback: boolean }): RelayState {
  const quickEnds = now.nowMs - state.begunAtMs < QUICK_END_MS ? state.quickEnds + 1 : 0
  const rests = quickEnds >= QUICK_ENDS_BEFORE_REST && now.hasFallback
  return {
    ...state,
    // What it holds may have changed.
    plan: null,
    ready: null,
    quickEnds,
    restsUntilMs: rests ? now.nowMs + REST_MS : state.restsUntilMs,
  }
}

/** A look at a copied source found it past the plan, or not. `of`: the sessions that had begun before the look. */
export function judgeGrowth(
  state: RelayState,
  probe: { readonly isGrown: boolean; readonly of: number },
): { readonly state: RelayState; readonly isConfirmed: boolean; readonly isNews: boolean } {
  // What was begun meanwhile judged the source itself, and may need no encoder.
  const growthsSeen = probe.isGrown && state.sessions === probe.of ? state.growthsSeen + 1 : 0
  return {
    state: { ...state, growthsSeen },
    isConfirmed: growthsSeen >= GROWTHS_NEEDED,
    isNews: growthsSeen === GROWTHS_NEEDED,
  }
}
