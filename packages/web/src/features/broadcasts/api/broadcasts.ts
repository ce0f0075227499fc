import type { StartBroadcastBody, TargetBody } from '@siarin/contracts/broadcasts'
import { featureDelete, featurePost } from '../../../lib/feature-calls.ts'

/** A stored target by its id, or one that is typed. */
export type TargetChoice = Partial<TargetBody>

type StartBroadcast = Omit<StartBroadcastBody, 'targets'> & { readonly targets: readonly TargetChoice[] }

interface SaidAnswer {
  success: boolean
  message: string
}

const pathOf = (broadcastId: string): string => `/fitur/broadcast/${encodeURIComponent(broadcastId)}`

/** To all of its targets or to none; answers what the server says. */
export const startBroadcast = async (body: StartBroadcast): Promise<string> =>
  (await featurePost<SaidAnswer>('/fitur/broadcast', body)).message

export const stopBroadcast = async (broadcastId: string): Promise<string> =>
  (await featurePost<SaidAnswer>(`${pathOf(broadcastId)}/stop`)).message

export const addTargets = async (broadcastId: string, targets: readonly TargetChoice[]): Promise<string> =>
  (await featurePost<SaidAnswer>(`${pathOf(broadcastId)}/targets`, { targets })).message

/** The other targets of the broadcast go on. */
export const removeTarget = async (broadcastId: string, streamId: string): Promise<string> =>
  (await featureDelete<SaidAnswer>(`${pathOf(broadcastId)}/targets/${encodeURIComponent(streamId)}`)).message
