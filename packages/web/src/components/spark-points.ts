/** As many as a sparkline shows: at one a second, the last minute. */
export const SPARK_POINTS = 60

/** The points of a polyline in a box of this size; new samples stand at the right. Null: one point makes no line. */
export function sparkPoints(
  samples: readonly number[],
  width: number,
  height: number,
  top: number = Math.max(...samples, 1),
): string | null {
  if (samples.length < 2) return null
  const step = width / (SPARK_POINTS - 1)
  const first = width - step * (samples.length - 1)
  const round = (value: number): number => Math.round(value * 10) / 10
  return samples
    .map((sample, index) => `${round(first + index * step)},${round(height - (sample / top) * height)}`)
    .join(' ')
}
