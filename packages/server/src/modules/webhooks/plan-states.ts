export interface PlannedEndpoint {
  readonly id: string
  readonly state: string
  readonly state_reason: string | null
}

/** Its owner wants it. */
export const isPausedByPlan = ({ state, state_reason }: PlannedEndpoint): boolean =>
  state === 'paused' && state_reason === 'plan'

/** Which of somebody's endpoints, oldest first, the plan does not have any more, and which it has again. */
export function planStates(endpoints: readonly PlannedEndpoint[], allowed: number) {
  const wanted = endpoints.filter((each) => each.state === 'active' || isPausedByPlan(each))
  return {
    pause: wanted.slice(allowed).filter(({ state }) => state === 'active'),
    resume: wanted.slice(0, allowed).filter(isPausedByPlan),
  }
}
