import { advance, type Decision, still, withSession } from './advance.ts'
import type { KeeperEvent, KeeperState, Session, Surroundings } from './keeper-state.ts'

/** The source that a video stands in for may be back; one that is sent may have grown past the plan. */
export function sourceCheckDue(
  state: KeeperState,
  check: Extract<KeeperEvent, { type: 'source-check-due' }>['check'],
): Decision {
  const { session } = state
  if ((check === 'return') !== state.onFallback || state.stream.at !== 'live') return still(state)
  if (!session || session.isCheckingSource || session.isRenewing) return still(state)
  return {
    state: withSession(state, session, { isCheckingSource: true }),
    effects: [{ type: 'check-source', check, session: session.number }],
  }
}

export function sourceChecked(
  state: KeeperState,
  session: Session,
  needsNewSession: boolean,
  now: Surroundings,
): Decision {
  const next = withSession(state, session, {
    isCheckingSource: false,
    isRenewing: session.isRenewing || needsNewSession,
  })
  return needsNewSession ? advance(next, { type: 'restart-asked' }, now) : still(next)
}
