/** `npm run test:faults` is the long form; `npm test` has the short one. */
export const isLongForm = process.env['SIARIN_FAULTS'] === 'long'

/** Times are printed, not asserted: machines are noisy. */
export function openFaultTable(title: string) {
  const rows: { fault: string; ms: number; atMostSeconds: number }[] = []
  return {
    add(fault: string, ms: number, atMostSeconds: number): void {
      rows.push({ fault, ms, atMostSeconds })
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
