import { ChevronDown } from 'lucide-react'
import { type ComponentProps, createContext, type ReactNode, useContext } from 'react'
import { classes } from '../lib/classes.ts'

const CONTROL =
  'w-full rounded-control border border-line-strong bg-card px-3.5 text-base text-ink transition-colors placeholder:text-ink-soft enabled:hover:border-ink-soft focus-visible:border-accent-ink [&[readonly]]:bg-raised disabled:bg-raised disabled:text-ink-soft aria-invalid:border-warn-ink md:text-sm'

/** What a control inside a field says about itself, so that callers need not repeat it. */
interface ControlFacts {
  id?: string
  'aria-describedby'?: string | undefined
  'aria-invalid'?: boolean
}

const ControlContext = createContext<ControlFacts>({})

interface FieldProps {
  id: string
  label: string
  hint?: string | undefined
  /** What is wrong and what to do; it takes the hint's place. */
  fault?: string | null | undefined
  children: ReactNode
}

/** A label above its control and below it a hint or a fault, which the control names as its description. */
export function Field({ id, label, hint, fault, children }: FieldProps) {
  const below = fault ? `${id}-fault` : hint && `${id}-hint`
  return (
    <ControlContext value={{ id, 'aria-describedby': below, ...(fault && { 'aria-invalid': true }) }}>
      <div className="grid gap-1.5">
        <label htmlFor={id} className="text-sm font-semibold">
          {label}
        </label>
        {children}
        {fault ? (
          <p id={`${id}-fault`} role="alert" className="text-sm font-medium break-words text-warn-ink">
            {fault}
          </p>
        ) : (
          hint && (
            <p id={`${id}-hint`} className="text-xs text-pretty text-ink-soft">
              {hint}
            </p>
          )
        )}
      </div>
    </ControlContext>
  )
}

export function Input({ className, ...rest }: ComponentProps<'input'>) {
  return <input {...useContext(ControlContext)} className={classes(CONTROL, 'h-11', className)} {...rest} />
}

/** For what is copied and typed to the letter, such as keys and addresses: nothing corrects it or offers what was typed before. */
export function CodeInput({ className, ...rest }: ComponentProps<'input'>) {
  return (
    <Input
      type="text"
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      className={classes('font-mono', className)}
      {...rest}
    />
  )
}

export function Textarea({ className, ...rest }: ComponentProps<'textarea'>) {
  return (
    <textarea
      rows={4}
      {...useContext(ControlContext)}
      className={classes(CONTROL, 'min-h-24 py-2.5', className)}
      {...rest}
    />
  )
}

/** A key to be read whole: it breaks where its line ends, however narrow the screen is. */
export function KeyText({ className, ...rest }: ComponentProps<'textarea'>) {
  return (
    <textarea
      readOnly
      rows={2}
      autoComplete="off"
      spellCheck={false}
      {...useContext(ControlContext)}
      className={classes(CONTROL, 'field-sizing-content min-h-11 resize-none py-2.5 font-mono break-all', className)}
      onFocus={(event) => event.currentTarget.select()}
      {...rest}
    />
  )
}

/** The system's own select: on a phone it is the wheel that everyone knows. */
export function Select({ className, ...rest }: ComponentProps<'select'>) {
  return (
    <span className="relative block">
      <select
        {...useContext(ControlContext)}
        className={classes(CONTROL, 'h-11 appearance-none pr-10', className)}
        {...rest}
      />
      <ChevronDown
        aria-hidden
        size={18}
        strokeWidth={1.75}
        className="pointer-events-none absolute top-1/2 right-3 -translate-y-1/2 text-ink-soft"
      />
    </span>
  )
}
