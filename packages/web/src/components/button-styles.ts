import { classes } from '../lib/classes.ts'

export type ButtonLook = 'primary' | 'secondary' | 'danger' | 'quiet'
export type ButtonSize = 'normal' | 'small'

const BASE =
  'relative inline-flex shrink-0 items-center justify-center gap-2 overflow-hidden rounded-control font-semibold select-none transition-colors disabled:opacity-55'

const LOOKS: Record<ButtonLook, string> = {
  primary: 'bg-accent text-on-accent enabled:hover:bg-accent-hover [a&]:hover:bg-accent-hover',
  secondary: 'border border-line-strong bg-card text-ink enabled:hover:bg-raised [a&]:hover:bg-raised',
  // Red is kept for 'on air'; what destroys is outlined and says so in words.
  danger: 'border border-line-strong bg-card text-ink enabled:hover:border-ink enabled:hover:bg-raised',
  quiet: 'text-ink-soft enabled:hover:bg-raised enabled:hover:text-ink [a&]:hover:bg-raised [a&]:hover:text-ink',
}

const SIZES: Record<ButtonSize, string> = {
  normal: 'h-11 px-5 text-sm',
  small: 'h-9 px-3.5 text-sm pointer-coarse:h-11',
}

/** One place for the look of buttons and of links that look like one. */
export const buttonStyle = (look: ButtonLook, size: ButtonSize = 'normal', extra?: string): string =>
  classes(BASE, LOOKS[look], SIZES[size], extra)
