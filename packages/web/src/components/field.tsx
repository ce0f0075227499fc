import { ChevronDown } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import { classes } from '../lib/classes.ts'

const CONTROL =
  'h-11 w-full rounded-control border border-line-strong bg-card px-3.5 text-base text-ink transition-colors placeholder:text-ink-soft hover:border-ink-soft focus-visible:border-accent-ink md:text-sm'

interface FieldProps {
  id: string
  label: string
  hint?: string | undefined
  children: ReactNode
}

/** A label above its control and, where there is one, a hint below that the control names as its description. */
export function Field({ id, label, hint, children }: FieldProps) {
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="text-sm font-semibold">
        {label}
      </label>
      {children}
      {hint && (
        <p id={`${id}-hint`} className="text-xs text-ink-soft">
          {hint}
        </p>
      )}
    </div>
  )
}

export function Input({ className, ...rest }: ComponentProps<'input'>) {
  return <input className={classes(CONTROL, className)} {...rest} />
}

export function Select({ className, ...rest }: ComponentProps<'select'>) {
  return (
    <span className="relative block">
      <select className={classes(CONTROL, 'appearance-none pr-10', className)} {...rest} />
      <ChevronDown
        aria-hidden
        size={18}
        strokeWidth={1.75}
        className="pointer-events-none absolute top-1/2 right-3 -translate-y-1/2 text-ink-soft"
      />
    </span>
  )
}
