import { useId, useState } from 'react'
import { Field, Input } from '../../../components/field.tsx'
import { Segmented } from '../../../components/segmented.tsx'
import { type DayRange, RANGE_CHOICES, type RangeChoice, type ReadRange } from '../range.ts'

interface RangePickerProps {
  read: ReadRange
  today: string
  onChange: (choice: RangeChoice, range: DayRange) => void
}

interface OwnDaysProps {
  first: DayRange
  fault: string | null
  today: string
  onChange: (range: DayRange) => void
}

/** Keeps what is typed: the address follows later, and a second date that is typed before it does must not undo the first. */
function OwnDays({ first, fault, today, onChange }: OwnDaysProps) {
  const id = useId()
  const [range, setRange] = useState(first)
  const change = (part: Partial<DayRange>): void => {
    const next = { ...range, ...part }
    setRange(next)
    onChange(next)
  }
  return (
    <div className="grid grid-cols-2 items-start gap-3">
      <Field id={`${id}-from`} label="Dari" fault={fault}>
        <Input
          type="date"
          value={range.from}
          max={today}
          onChange={({ currentTarget }) => change({ from: currentTarget.value })}
        />
      </Field>
      <Field id={`${id}-to`} label="Sampai">
        <Input
          type="date"
          value={range.to}
          max={today}
          onChange={({ currentTarget }) => change({ to: currentTarget.value })}
        />
      </Field>
    </div>
  )
}

/** Which days; own ones by their first and last. */
export function RangePicker({ read: { choice, range, fault }, today, onChange }: RangePickerProps) {
  return (
    <div className="grid gap-3 sm:max-w-lg">
      <Segmented
        legend="Rentang waktu"
        hideLegend
        options={RANGE_CHOICES}
        value={choice}
        onChange={(next) => onChange(next, range)}
      />
      {choice === 'sendiri' && (
        <OwnDays first={range} fault={fault} today={today} onChange={(next) => onChange('sendiri', next)} />
      )}
    </div>
  )
}
