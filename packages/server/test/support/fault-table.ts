import { expect } from 'vitest'

/** `npm run test:faults` is the long form; `npm test` has the short one. */
export const isLongForm = process.env['SIARIN_FAULTS'] === 'long'

/** Machines are noisy: what is over its bound is marked, and fails where it is over five times as much. */
const NOISE = 5

export function openFaultTable(title: string) {
  const rows: { fault: string; ms: number; atMostSeconds: number }[] = []
  return {
    add(fault: string, ms: number, atMostSeconds: number): void {
      rows.push({ fault, ms, atMostSeconds })
      expect(ms / 1000, `seconds of '${fault}', bound ${atMostSeconds} s`).toBeLessThan(NOISE * atMostSeconds)
    },
    print(): void {
      if (rows.length === 0) return
      const width = Math.max(...rows.map(({ fault }) => fault.length))
      const lines = rows.map(({ fault, ms, atMostSeconds }) => {
        const over = ms > atMostSeconds * 1000 ? '  OVER' : ''
        return `${fault.padEnd(width)}  ${(ms / 1000).toFixed(1).padStart(6)} s  at most ${atMostSeconds} s${over}`
      })
      process.stdout.write(`\n${title}\n${lines.join('\n')}\n\n`)
    },
  }
}
