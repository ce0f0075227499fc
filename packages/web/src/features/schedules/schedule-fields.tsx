import { DEFAULT_ZONE } from '@siarin/contracts/schedules/schedule-rule'
import { Checkbox } from '../../components/checkbox.tsx'
import { Disclosure } from '../../components/disclosure.tsx'
import { Field, Input } from '../../components/field.tsx'
import { Segmented } from '../../components/segmented.tsx'
import { classes } from '../../lib/classes.ts'
import { PlanWords } from './components/plan-words.tsx'
import { WindowFields } from './components/window-fields.tsx'
import { ZoneField } from './components/zone-field.tsx'
import { hasEnd, type Repeat, type ScheduleForm, toggleDay } from './schedule-form.ts'
import { DAY_NAMES, shortDayName } from './schedule-words.ts'

const REPEATS: readonly { value: Repeat; label: string }[] = [
  { value: 'once', label: 'Sekali' },
  { value: 'daily', label: 'Setiap hari' },
  { value: 'weekdays', label: 'Hari tertentu' },
]

const ENDS = [
  { value: 'second', label: 'Tepat waktu' },
  { value: 'pass', label: 'Di akhir putaran' },
] as const

interface ScheduleFieldsProps {
  form: ScheduleForm
  /** False: it is saved already, and changed. */
  isNew?: boolean
  onChange: (form: ScheduleForm) => void
}

function DaysField({ form, onChange }: ScheduleFieldsProps) {
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1.5 text-sm font-semibold">Hari</legend>
      <div className="grid grid-cols-7 gap-1">
        {DAY_NAMES.map((name, at) => (
          <label
            key={name}
            className={classes(
              'relative grid h-11 cursor-pointer place-items-center rounded-control border border-line-strong text-xs font-semibold text-ink-soft transition-colors',
              'has-checked:border-accent has-checked:bg-accent-wash has-checked:text-accent-ink has-focus-visible:outline-2 has-focus-visible:outline-accent-ink',
            )}
          >
            <input
              type="checkbox"
              aria-label={name}
              className="sr-only"
              checked={form.days.includes(at + 1)}
              onChange={() => onChange(toggleDay(form, at + 1))}
            />
            <span aria-hidden>{shortDayName(at + 1)}</span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}

function SkippedDates({ form, onChange }: ScheduleFieldsProps) {
  if (form.exceptions.length === 0) return null
  return (
    <Checkbox
      label={`Tetap lewati ${form.exceptions.length} tanggal yang sudah dilewati`}
      checked
      onChange={() => onChange({ ...form, exceptions: [] })}
    />
  )
}

/** Whether something is set that stands among the folded choices. */
const isUnusual = ({ zone, lastDay, exceptions, endAtPass }: ScheduleForm): boolean =>
  zone !== DEFAULT_ZONE || lastDay !== '' || exceptions.length > 0 || endAtPass

/** When a broadcast begins and ends, and what comes of it in words. */
export function ScheduleFields({ form, isNew = true, onChange }: ScheduleFieldsProps) {
  const change = (part: Partial<ScheduleForm>): void => onChange({ ...form, ...part })
  return (
    <>
      <Segmented legend="Ulangi" options={REPEATS} value={form.repeat} onChange={(repeat) => change({ repeat })} />
      {form.repeat === 'once' && (
        <Field id="schedule-date" label="Tanggal">
          <Input type="date" value={form.date} onChange={(event) => change({ date: event.currentTarget.value })} />
        </Field>
      )}
      {form.repeat === 'weekdays' && <DaysField form={form} onChange={onChange} />}
      <WindowFields form={form} onChange={onChange} />
      <Disclosure label="Pilihan lain" open={isUnusual(form)}>
        {form.repeat !== 'once' && (
          <>
            <Field id="schedule-last-day" label="Hari terakhir (opsional)" hint="Kosongkan bila berlangsung terus.">
              <Input
                type="date"
                value={form.lastDay}
                onChange={(event) => change({ lastDay: event.currentTarget.value })}
              />
            </Field>
            <SkippedDates form={form} onChange={onChange} />
          </>
        )}
        <ZoneField zone={form.zone} onChange={(zone) => change({ zone })} />
        {hasEnd(form) && (
          <Segmented
            legend="Saat waktunya habis"
            options={ENDS}
            value={form.endAtPass ? 'pass' : 'second'}
            onChange={(end) => change({ endAtPass: end === 'pass' })}
          />
        )}
      </Disclosure>
      <PlanWords form={form} isNew={isNew} />
    </>
  )
}
