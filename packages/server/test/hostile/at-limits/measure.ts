import { setTimeout as sleep } from 'node:timers/promises'
import type { LoopLook } from '@siarin/testkit/loop-probe'
import type { Sender } from './burst.ts'
import type { Call } from './calls.ts'
import { type Neighbour, percentile } from './neighbour.ts'

export interface Measured {
  readonly name: string
  readonly operation: string
  /** What held the loop longest, in CPU time of its thread. */
  readonly aloneMs: number
  readonly atOnceMs: number
  /** The same by the clock: more where the machine was busy with others. */
  readonly wallMs: number
  readonly aloneStatuses: readonly number[]
  readonly statuses: string
  readonly neighbourP99: number
  readonly neighbourTimes: readonly number[]
  readonly peakMb: number
  /** The program ended by itself. */
  readonly ended: boolean
}

interface Meters {
  readonly sender: Sender
  readonly neighbour: Neighbour
  readonly look: () => Promise<LoopLook>
  /** True: the program had ended, and was started again. */
  readonly revive: () => Promise<boolean>
}

const SETTLE_MS = 10
/** Sixty calls use their limit up, which is over within seconds. */
const SOON_AGAIN = / \/fitur\/recording\//
/** So bad that sixty of them would only take longer to say the same. */
const HOPELESS_MS = 2_000
const GONE: LoopLook = { cpuMs: Number.POSITIVE_INFINITY, wallMs: Number.POSITIVE_INFINITY, peakMb: 0 }

const countsOf = (statuses: readonly number[]): string => {
  const counts = new Map<number, number>()
  for (const status of statuses) counts.set(status, (counts.get(status) ?? 0) + 1)
  return [...counts]
    .sort()
    .map(([status, count]) => `${status || 'none'}×${count}`)
    .join(' ')
}

/** Calls it alone and then many times at once, and says what that did to the loop, to somebody else and to the memory. */
export async function measure(call: Call, { sender, neighbour, look, revive }: Meters): Promise<Measured> {
  let n = 0
  const next = () => call.request(n++)
  const safeLook = () => look().catch(() => GONE)
  await call.before?.()
  await neighbour.take()
  await safeLook()
  const aloneStatuses: number[] = []
  const begun = performance.now()
  while (aloneStatuses.length < call.alone && performance.now() - begun < HOPELESS_MS) {
    aloneStatuses.push(await (SOON_AGAIN.test(call.operation) ? sender.sendPatiently : sender.send)(next()))
  }
  await call.after?.()
  await sleep(SETTLE_MS)
  const alone = await safeLook()
  const timesAlone = await neighbour.take()
  const isHopeless = alone.cpuMs > HOPELESS_MS
  const statuses = isHopeless ? [] : await Promise.all(Array.from({ length: call.atOnce }, () => sender.send(next())))
  await sleep(SETTLE_MS)
  const atOnce = isHopeless ? alone : await safeLook()
  const times = [...timesAlone, ...(await neighbour.take())]
  return {
    ...{
      name: call.name,
      operation: call.operation,
      aloneStatuses,
      statuses: countsOf(statuses),
      neighbourTimes: times,
    },
    ...{ aloneMs: alone.cpuMs, atOnceMs: atOnce.cpuMs, wallMs: Math.max(alone.wallMs, atOnce.wallMs) },
    ...{ neighbourP99: percentile(times, 0.99), peakMb: Math.max(alone.peakMb, atOnce.peakMb) },
    ended: await revive(),
  }
}
