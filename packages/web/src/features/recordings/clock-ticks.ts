const MINUTE_MS = 60_000
/** Steps that one reads off a clock: the last is a day. */
const STEPS_MS = [1, 5, 15, 30, 60, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 86_400].map((s) => s * 1000)

/** Full times of the wall clock between two moments, at most `most` of them, and how far they lie apart. */
export function clockTicks(
  begin: number,
  end: number,
  most: number,
): { readonly stepMs: number; readonly at: number[] } {
  const stepMs = STEPS_MS.find((step) => (end - begin) / step <= most) ?? 86_400_000
  const zoneMs = new Date(begin).getTimezoneOffset() * MINUTE_MS
  const first = Math.ceil((begin - zoneMs) / stepMs) * stepMs + zoneMs
  const at: number[] = []
  for (let tick = first; tick <= end && at.length < most; tick += stepMs) at.push(tick)
  return { stepMs, at }
}
