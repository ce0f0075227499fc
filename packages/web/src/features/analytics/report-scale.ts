const MINUTE = 60
const HOUR = 3600
const DAY = 86_400
const MOST_STEPS = 4
/** Round figures of minutes and hours. */
const STEPS = [
  ...[1, 2, 5, 10, 15].map((minutes) => minutes * MINUTE),
  ...[1, 2, 3, 6, 12, 24].map((hours) => hours * HOUR),
]

interface ScaleTick {
  /** How high it lies, 0 to 1. */
  readonly part: number
  readonly words: string
}

export interface ReportScale {
  /** In seconds: as high as the longest day or a little higher. */
  readonly top: number
  /** From the axis upwards. */
  readonly ticks: readonly ScaleTick[]
}

/** What stands beside bars on paper, for the longest of them. */
export function reportScale(mostSeconds: number): ReportScale {
  const most = Math.max(1, mostSeconds)
  const wholeDays = Math.ceil(most / MOST_STEPS / DAY) * DAY
  const step = STEPS.find((each) => each * MOST_STEPS >= most) ?? wholeDays
  const count = Math.ceil(most / step)
  const [unit, word] = step >= HOUR ? [HOUR, 'jam'] : [MINUTE, 'menit']
  return {
    top: count * step,
    ticks: Array.from({ length: count + 1 }, (_, index) => ({
      part: index / count,
      words: `${(index * step) / unit} ${word}`,
    })),
  }
}
