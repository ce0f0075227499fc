import { useId } from 'react'

interface RangeFieldProps {
  label: string
  value: number
  min: number
  max: number
  /** Behind the number. */
  unit?: string
  /** What its two ends mean, where a number says little. */
  ends?: readonly [string, string]
  onChange: (value: number) => void
}

/** The browser's own slider: arrows move it, and a finger finds it. */
export function RangeField({ label, value, min, max, unit = '%', ends, onChange }: RangeFieldProps) {
  const id = useId()
  return (
    <div>
      <div className="flex items-baseline justify-between gap-3 text-sm">
        <label htmlFor={id} className="font-semibold">
          {label}
        </label>
        <span aria-hidden className="text-xs text-ink-soft tabular-nums">
          {value}
          {unit}
        </span>
      </div>
      <input
        id={id}
        type="range"
        min={min}
        max={max}
        value={value}
        aria-valuetext={`${value}${unit}`}
        className="block h-9 w-full cursor-pointer accent-(--color-accent) pointer-coarse:h-11"
        onChange={(event) => onChange(event.currentTarget.valueAsNumber)}
      />
      {ends && (
        <div aria-hidden className="flex justify-between text-xs text-ink-soft">
          <span>{ends[0]}</span>
          <span>{ends[1]}</span>
        </div>
      )}
    </div>
  )
}
