import { classes } from '../lib/classes.ts'

/** The red lamp of a studio: it breathes while on air and is the only red thing on a screen. */
export function TallyLamp({ lit, className }: { lit: boolean; className?: string }) {
  return (
    <span
      aria-hidden
      className={classes(
        'inline-block size-2 shrink-0 rounded-full',
        lit ? 'animate-breathe bg-on-air shadow-[0_0_8px_1px_var(--on-air)]' : 'bg-line-strong',
        className,
      )}
    />
  )
}
