/** One figure beside its yardstick, measured in the same run: only the two together say something on a noisy machine. */
export interface Measured {
  readonly ours: number
  readonly yardstick: number
}

type Bound =
  /** A bound of ours / yardstick. */
  | { readonly ratioAtLeast: number }
  | { readonly ratioAtMost: number }
  /** The same, or of ours alone, in the row's unit: whichever is more. */
  | { readonly ratioAtMost: number; readonly orAtMost: number }
  /** A bound of ours - yardstick, in the row's unit. */
  | { readonly moreAtMost: number }
  /** A bound of ours alone, in the row's unit; the yardstick says what part of it is the machine's. */
  | { readonly atMost: number }

export interface Row {
  readonly name: string
  readonly unit: string
  readonly yardstick: string
  readonly wanted: Bound
  measure(): Promise<Measured>
}

interface Verdict {
  readonly met: boolean
  /** How ours stands to the yardstick. */
  readonly compared: string
  readonly bound: string
}

export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

export const figure = (value: number): string =>
  value.toLocaleString('en-US', { maximumFractionDigits: Math.abs(value) < 10 ? 2 : 0 })

export function judge({ wanted, unit }: Row, { ours, yardstick }: Measured): Verdict {
  const ratio = ours / yardstick
  const compared = ratio.toFixed(3)
  if ('ratioAtLeast' in wanted)
    return { met: ratio >= wanted.ratioAtLeast, compared, bound: `>= ${wanted.ratioAtLeast}` }
  if ('orAtMost' in wanted) {
    const met = ratio <= wanted.ratioAtMost || ours <= wanted.orAtMost
    return { met, compared, bound: `<= ${wanted.ratioAtMost} or ${figure(wanted.orAtMost)} ${unit}` }
  }
  if ('ratioAtMost' in wanted) return { met: ratio <= wanted.ratioAtMost, compared, bound: `<= ${wanted.ratioAtMost}` }
  if ('atMost' in wanted) return { met: ours <= wanted.atMost, compared, bound: `<= ${wanted.atMost} ${unit}` }
  const more = ours - yardstick
  const signed = `${more < 0 ? '' : '+'}${figure(more)} ${unit}`
  return { met: more <= wanted.moreAtMost, compared: signed, bound: `<= +${wanted.moreAtMost} ${unit}` }
}

/** One run feeds several rows. */
export function shared<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null
  return () => {
    made ??= make()
    return made
  }
}
