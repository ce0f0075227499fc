import { useId } from 'react'
import { Checkbox } from '../../components/checkbox.tsx'
import { useStanding } from '../standing/api/standing.ts'
import { recordHint } from './recording-words.ts'

interface RecordFieldProps {
  value: boolean
  /** Its source is an online one, whose recording takes room. */
  online: boolean
  onChange: (record: boolean) => void
}

/** Whether what is sent is recorded. */
export function RecordField({ value, online, onChange }: RecordFieldProps) {
  const hint = useId()
  const standing = useStanding()
  return (
    <div>
      <Checkbox
        label="Rekam siaran"
        checked={value}
        aria-describedby={hint}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <p id={hint} className="-mt-1.5 ml-8 text-xs text-pretty text-ink-soft">
        {recordHint(standing, online)}
      </p>
    </div>
  )
}
