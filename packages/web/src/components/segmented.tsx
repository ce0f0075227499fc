import { useId } from 'react'
import { classes } from '../lib/classes.ts'

interface SegmentedProps<T extends string> {
  legend: string
  /** For screen readers alone, where the choices speak for themselves. */
  hideLegend?: boolean
  options: readonly { readonly value: T; readonly label: string }[]
  value: T
  onChange: (value: T) => void
}

/** A few choices side by side, of which one counts. */
export function Segmented<T extends string>({ legend, hideLegend, options, value, onChange }: SegmentedProps<T>) {
  const name = useId()
  return (
    <fieldset className="grid min-w-0 gap-1.5">
      <legend className={hideLegend ? 'sr-only' : 'mb-1.5 text-sm font-semibold'}>{legend}</legend>
      <div className="flex rounded-control bg-raised p-1">
        {options.map((option) => (
          <label
            key={option.value}
            className={classes(
              'relative inline-flex min-h-9 flex-1 cursor-pointer items-center justify-center rounded-[8px] px-2 text-center text-xs font-semibold text-ink-soft transition-colors pointer-coarse:min-h-11',
              'hover:text-ink has-checked:bg-card has-checked:text-ink has-focus-visible:outline-2 has-focus-visible:outline-accent-ink dark:has-checked:bg-pressed',
            )}
          >
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={value === option.value}
              onChange={() => onChange(option.value)}
              className="sr-only"
            />
            {option.label}
          </label>
        ))}
      </div>
    </fieldset>
  )
}
