/** One figure beside its yardstick, measured in the same run: only the ratio says something on a noisy machine. */
export interface Measured {
  readonly ours: number
  readonly yardstick: number
}

export interface Row {
  readonly name: string
  readonly unit: string
  readonly yardstick: string
  /** What the ratio ours / yardstick should be, as a bound on one side. */
  readonly wanted: { readonly atLeast: number } | { readonly atMost: number }
  measure(): Promise<Measured>
}

export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

export function judge({ wanted }: Row, { ours, yardstick }: Measured): { ratio: number; met: boolean; bound: string } {
  const ratio = ours / yardstick
  return 'atLeast' in wanted
    ? { ratio, met: ratio >= wanted.atLeast, bound: `>= ${wanted.atLeast}` }
    : { ratio, met: ratio <= wanted.atMost, bound: `<= ${wanted.atMost}` }
}
