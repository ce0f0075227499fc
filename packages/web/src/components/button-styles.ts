import { classes } from '../lib/classes.ts'

export type ButtonLook = 'primary' | 'secondary' | 'danger' | 'quiet'
export type ButtonSize = 'large' | 'normal' | 'small' | 'icon'

const BASE =
  'relative inline-flex shrink-0 items-center justify-center gap-2 overflow-hidden rounded-control font-semibold select-none transition-colors'

const LOOKS: Record<ButtonLook, string> = {
  // Faded, its text would sink into its ground at night; grey says 'not now' in both themes and stays readable.
  primary:
    'bg-accent text-on-accent enabled:hover:bg-accent-hover disabled:bg-pressed disabled:text-ink-soft [a&]:hover:bg-accent-hover',
  secondary:
    'border border-line-strong bg-card text-ink enabled:hover:bg-raised disabled:opacity-55 [a&]:hover:bg-raised',
  // Red is kept for 'on air'; what destroys is outlined and says so in words.
  danger:
    'border border-line-strong bg-card text-ink enabled:hover:border-ink enabled:hover:bg-raised disabled:opacity-55',
  quiet:
    'text-ink-soft disabled:opacity-55 enabled:hover:bg-raised enabled:hover:text-ink [a&]:hover:bg-raised [a&]:hover:text-ink',
}

const SIZES: Record<ButtonSize, string> = {
  large: 'h-12 px-6 text-base',
  normal: 'h-11 px-5 text-sm',
  small: 'h-9 px-3.5 text-sm pointer-coarse:h-11',
  // An icon alone: give it an aria-label.
  icon: 'size-9 pointer-coarse:size-11',
}

/** One place for the look of buttons and of links that look like one. */
export const buttonStyle = (look: ButtonLook, size: ButtonSize = 'normal', extra?: string): string =>
  classes(BASE, LOOKS[look], SIZES[size], extra)
