import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

export interface Neighbour {
  /** How long each call took since the last time, in milliseconds. */
  take(): Promise<number[]>
  stop(): void
}

/** Somebody with an empty account, who calls all the time, in this rhythm. */
export function startNeighbour(url: string, apiKey: string, everyMs: number): Neighbour {
  const child = fork(join(import.meta.dirname, 'neighbour-main.ts'), [url, apiKey, String(everyMs)])
  return {
    async take() {
      child.send('take')
      const [times] = (await once(child, 'message')) as [number[]]
      return times
    },
    stop: () => child.disconnect(),
  }
}

export function percentile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0
}
