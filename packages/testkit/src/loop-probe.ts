import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'

/** What held the loop of a program for longest since the last look, in CPU time of its main thread and by the clock; and its memory. */
export interface LoopLook {
  readonly cpuMs: number
  readonly wallMs: number
  readonly peakMb: number
}

/** For a program that is started with these: `startSiarin({ flags, env })`. */
export const loopProbe = (socketPath: string) => ({
  flags: ['--import', join(import.meta.dirname, 'loop-probe.mjs')],
  env: { LOOP_PROBE: socketPath },
  /** The longest since it was last asked. */
  async look(): Promise<LoopLook> {
    const asked = request({ socketPath, path: '/' }).end()
    const [answer] = (await once(asked, 'response')) as [IncomingMessage]
    return (await json(answer)) as LoopLook
  },
})
