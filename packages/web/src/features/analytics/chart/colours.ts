/** What a canvas needs as a finished colour: it knows neither the theme's variables nor mixtures of them. */
function finished(host: HTMLElement, colour: string): string {
  const probe = document.createElement('span')
  probe.style.color = colour
  host.append(probe)
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}

export interface ChartColours {
  readonly line: string
  readonly area: string
  readonly grid: string
  readonly words: string
  readonly card: string
}

export type LineTone = 'healthy' | 'trouble'

const LINES: Record<LineTone, string> = { healthy: 'var(--accent-ink)', trouble: 'var(--warn-ink)' }
const AREA_PERCENT = 8

export function chartColours(host: HTMLElement, tone: LineTone): ChartColours {
  return {
    line: finished(host, LINES[tone]),
    area: finished(host, `color-mix(in srgb, ${LINES[tone]} ${AREA_PERCENT}%, transparent)`),
    grid: finished(host, 'var(--line)'),
    words: finished(host, 'var(--ink-soft)'),
    card: finished(host, 'var(--card)'),
  }
}

/** The same for the parts of a stacked bar. */
export const finishedColours = (host: HTMLElement, colours: readonly string[]): string[] =>
  colours.map((colour) => finished(host, colour))
