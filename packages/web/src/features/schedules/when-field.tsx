import { Link } from 'react-router'
import { Segmented } from '../../components/segmented.tsx'
import { useStanding } from '../standing/api/standing.ts'
import { RefusalNote } from './components/refusal-note.tsx'
import { ScheduleFields } from './schedule-fields.tsx'
import { newScheduleForm, type ScheduleForm } from './schedule-form.ts'
import { noSchedules, type ScheduleRefusal, scheduleRefusal } from './schedule-permit.ts'

const CHOICES = [
  { value: 'now', label: 'Siarkan sekarang' },
  { value: 'later', label: 'Jadwalkan' },
] as const

/** Why the form cannot save this schedule; null: it can, or there is none. */
export const useScheduleRefusal = (form: ScheduleForm | null, asksTikTok: boolean): ScheduleRefusal | null =>
  scheduleRefusal(useStanding(), form, asksTikTok)

interface WhenFieldProps {
  /** Null: now. */
  value: ScheduleForm | null
  refusal: ScheduleRefusal | null
  onChange: (schedule: ScheduleForm | null) => void
}

/** Now, as ever, or at times to come. */
export function WhenField({ value, refusal, onChange }: WhenFieldProps) {
  const none = noSchedules(useStanding())
  return (
    <>
      <Segmented
        legend="Kapan"
        hideLegend
        options={CHOICES}
        value={value ? 'later' : 'now'}
        onChange={(when) => onChange(when === 'later' ? newScheduleForm(Date.now()) : null)}
      />
      {value && !none && <ScheduleFields form={value} onChange={onChange} />}
      {refusal && <RefusalNote refusal={refusal} />}
      {value && !none && (
        <p className="text-xs text-ink-soft">
          <Link to="/fitur/jadwal" className="inline-flex min-h-6 items-center font-semibold text-accent-ink underline">
            Lihat semua jadwal
          </Link>
        </p>
      )}
    </>
  )
}
