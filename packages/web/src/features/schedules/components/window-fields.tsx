import { WINDOWS_MAX } from '@siarin/contracts/schedules/schedule-rule'
import { Plus, Trash2 } from 'lucide-react'
import { Button } from '../../../components/button.tsx'
import { Field, Input, Select } from '../../../components/field.tsx'
import {
  addWindow,
  changeWindow,
  type Ending,
  removeWindow,
  type ScheduleForm,
  type WindowForm,
} from '../schedule-form.ts'

const ENDINGS: readonly { value: Ending; label: string }[] = [
  { value: 'end', label: 'Pada jam' },
  { value: 'minutes', label: 'Setelah durasi' },
  { value: 'none', label: 'Tanpa akhir' },
]

interface WindowRowProps {
  window: WindowForm
  /** Its place among several; null: it is the only one. */
  number: number | null
  onChange: (change: Partial<WindowForm>) => void
  onRemove: () => void
}

function LengthFields({ window, suffix, onChange }: Pick<WindowRowProps, 'window' | 'onChange'> & { suffix: string }) {
  return (
    <div className="grid grid-cols-2 gap-3">
      <Field id={`window-${window.id}-hours`} label={`Lama (jam)${suffix}`}>
        <Input
          type="number"
          inputMode="numeric"
          min={0}
          max={168}
          value={window.hours}
          onChange={(event) => onChange({ hours: event.currentTarget.value })}
        />
      </Field>
      <Field id={`window-${window.id}-minutes`} label={`Lama (menit)${suffix}`}>
        <Input
          type="number"
          inputMode="numeric"
          min={0}
          max={59}
          value={window.minutes}
          onChange={(event) => onChange({ minutes: event.currentTarget.value })}
        />
      </Field>
    </div>
  )
}

function WindowRow({ window, number, onChange, onRemove }: WindowRowProps) {
  const suffix = number === null ? '' : ` ${number}`
  const { id, start, ending, end } = window
  return (
    <div className="grid gap-3 rounded-control border border-line p-3">
      <div className="grid grid-cols-2 gap-3 sm:grid-cols-3">
        <Field id={`window-${id}-start`} label={`Mulai${suffix}`}>
          <Input
            type="time"
            value={start}
            className="tabular-nums"
            onChange={(event) => onChange({ start: event.currentTarget.value })}
          />
        </Field>
        <Field id={`window-${id}-ending`} label={`Berakhir${suffix}`}>
          <Select value={ending} onChange={(event) => onChange({ ending: event.currentTarget.value as Ending })}>
            {ENDINGS.map((each) => (
              <option key={each.value} value={each.value}>
                {each.label}
              </option>
            ))}
          </Select>
        </Field>
        {ending === 'end' && (
          <Field id={`window-${id}-end`} label={`Selesai${suffix}`}>
            <Input
              type="time"
              value={end}
              className="tabular-nums"
              onChange={(event) => onChange({ end: event.currentTarget.value })}
            />
          </Field>
        )}
      </div>
      {ending === 'minutes' && <LengthFields {...{ window, suffix, onChange }} />}
      {number !== null && (
        <Button look="quiet" size="small" className="justify-self-start" onClick={onRemove}>
          <Trash2 aria-hidden size={16} strokeWidth={1.75} />
          Hapus waktu {number}
        </Button>
      )}
    </div>
  )
}

interface WindowFieldsProps {
  form: ScheduleForm
  onChange: (form: ScheduleForm) => void
}

export function WindowFields({ form, onChange }: WindowFieldsProps) {
  const { windows } = form
  return (
    <fieldset className="grid min-w-0 gap-2">
      <legend className="mb-1.5 text-sm font-semibold">Waktu siaran</legend>
      {windows.map((window, at) => (
        <WindowRow
          key={window.id}
          window={window}
          number={windows.length > 1 ? at + 1 : null}
          onChange={(change) => onChange(changeWindow(form, window.id, change))}
          onRemove={() => onChange(removeWindow(form, window.id))}
        />
      ))}
      {windows.length < WINDOWS_MAX && (
        <Button
          look="quiet"
          size="small"
          className="-ml-3.5 justify-self-start"
          onClick={() => onChange(addWindow(form))}
        >
          <Plus aria-hidden size={16} strokeWidth={1.75} />
          Tambah waktu
        </Button>
      )}
    </fieldset>
  )
}
