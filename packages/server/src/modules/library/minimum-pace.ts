export interface MinimumPace {
  readonly bytesPerSecond: number
  /** Over how long it is measured: a server may pause for a moment. */
  readonly windowMs: number
}

/** Calls `tooSlow` after each window in which fewer bytes have arrived than the pace asks for. The answer ends the watch. */
export function watchPace(pace: MinimumPace, arrivedBytes: () => number, tooSlow: () => void): () => void {
  const least = (pace.bytesPerSecond * pace.windowMs) / 1000
  let before = arrivedBytes()
  const timer = setInterval(() => {
    const now = arrivedBytes()
    if (now - before < least) tooSlow()
    before = now
  }, pace.windowMs)
  return () => clearInterval(timer)
}
