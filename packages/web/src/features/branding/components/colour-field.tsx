import { CodeInput, Field } from '../../../components/field.tsx'

interface ColourFieldProps {
  id: string
  label: string
  /** May be half typed. */
  value: string
  fault?: string | null | undefined
  disabled?: boolean
  onChange: (colour: string) => void
}

const isWhole = (colour: string): boolean => /^#[\da-f]{6}$/i.test(colour)

/** Picked from the system's palette, or typed as designers write it. */
export function ColourField({ id, label, value, fault, disabled = false, onChange }: ColourFieldProps) {
  return (
    <Field id={id} label={label} fault={fault}>
      <div className="flex gap-2">
        <input
          type="color"
          aria-label={`${label}, dari palet`}
          value={isWhole(value) ? value.toLowerCase() : '#000000'}
          disabled={disabled}
          className="h-11 w-14 shrink-0 cursor-pointer rounded-control border border-line-strong bg-card p-1 disabled:cursor-default disabled:opacity-55"
          onChange={(event) => onChange(event.currentTarget.value)}
        />
        <CodeInput
          value={value}
          maxLength={7}
          disabled={disabled}
          className="min-w-0"
          onChange={(event) => onChange(event.currentTarget.value.trim())}
        />
      </div>
    </Field>
  )
}
