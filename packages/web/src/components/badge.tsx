import type { ReactNode } from 'react'
import { classes } from '../lib/classes.ts'
import { TallyLamp } from './tally-lamp.tsx'

/** Red is on air and nothing else: what failed is `warn`. */
export type BadgeTone = 'neutral' | 'accent' | 'warn' | 'on-air'

const TONES: Record<BadgeTone, string> = {
  neutral: 'bg-raised text-ink-soft',
  accent: 'bg-accent-wash text-accent-ink',
  warn: 'bg-warn-wash text-warn-ink',
  'on-air': 'bg-on-air-wash text-on-air-ink',
}

/** A state in one or two words; with `on-air` the lamp burns before them. */
export function Badge({ tone = 'neutral', children }: { tone?: BadgeTone; children: ReactNode }) {
  return (
    <span
      className={classes(
        'inline-flex w-fit shrink-0 items-center gap-1.5 rounded-full px-2.5 py-0.5 text-xs font-semibold whitespace-nowrap',
        TONES[tone],
      )}
    >
      {tone === 'on-air' && <TallyLamp lit />}
      {children}
    </span>
  )
}
