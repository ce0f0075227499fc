import { z } from 'zod'
import { Answer } from './answers.ts'
import { PLAN_IDS } from './plans.ts'

/**
 * How somebody stands with us. 'grace': a paid plan has run out, and everything goes on for some days. 'ended': the trial or the
 * grace is over. 'suspended': the operator has stopped it. In the last two every feature call is refused.
 */
export const StandingState = z.enum(['active', 'grace', 'ended', 'suspended'])
export type StandingState = z.infer<typeof StandingState>

export const Standing = z.object({
  plan: z.enum(PLAN_IDS),
  state: StandingState,
  /** When the plan runs out; null: it does not. */
  endsAt: z.iso.datetime().nullable(),
  /** When everything stops, with the grace after a paid plan; null: it does not. */
  stopsAt: z.iso.datetime().nullable(),
  /** It stops soon: the person should see for how long it still goes on. */
  endsSoon: z.boolean(),
  /** When the videos of somebody whose plan has ended are deleted; null while they are safe. */
  videosDeletedAt: z.iso.datetime().nullable(),
  /** What the operator gave as the reason of a suspension; null: none, or not suspended. */
  suspendedFor: z.string().nullable(),
  /** False where the operator lets everyone have everything. */
  enforced: z.boolean(),
})
export type Standing = z.infer<typeof Standing>

export const StandingAnswer = Answer.extend({ data: Standing })
export type StandingAnswer = z.infer<typeof StandingAnswer>
