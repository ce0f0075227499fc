import { Card, CardHeading } from '../../../components/card.tsx'
import { Checkbox } from '../../../components/checkbox.tsx'
import { Field, Input, Select } from '../../../components/field.tsx'
import { OWN_ZONES, zoneHere, zoneWords } from '../../schedules/zones.ts'
import type { SettingsFaults, SettingsForm } from '../settings-form.ts'

interface RuleFieldsProps {
  form: SettingsForm
  faults: SettingsFaults
  onChange: (part: Partial<SettingsForm>) => void
}

export function ThresholdFields({ form, faults, onChange }: RuleFieldsProps) {
  return (
    <Card className="grid gap-4 p-4 sm:p-6">
      <CardHeading title="Batas" lead="Gangguan yang lebih singkat kami selesaikan sendiri, tanpa membangunkan Anda." />
      <Field
        id="off-air-minutes"
        label="Kabari bila terputus lebih dari (menit)"
        hint="Siaran yang putus tetap disambung ulang sejak detik pertama."
        fault={faults.offAirMinutes}
      >
        <Input
          inputMode="numeric"
          className="max-w-32 tabular-nums"
          value={form.offAirMinutes}
          maxLength={4}
          onChange={(event) => onChange({ offAirMinutes: event.currentTarget.value })}
        />
      </Field>
      <Field
        id="restarts-per-hour"
        label="Kabari bila menyambung ulang lebih dari (kali per jam)"
        hint="Tanda bahwa internet server atau tujuannya sedang tidak stabil."
        fault={faults.restartsPerHour}
      >
        <Input
          inputMode="numeric"
          className="max-w-32 tabular-nums"
          value={form.restartsPerHour}
          maxLength={3}
          onChange={(event) => onChange({ restartsPerHour: event.currentTarget.value })}
        />
      </Field>
    </Card>
  )
}

/** The clocks of Indonesia, the browser's own, and the one that was saved. */
const zonesFor = (saved: string): readonly string[] => [
  ...new Set([...OWN_ZONES.map(({ zone }) => zone as string), zoneHere(), saved]),
]

export function QuietFields({ form, faults, onChange }: RuleFieldsProps) {
  const { quiet, zone } = form
  const time = (id: 'from' | 'to', label: string) => (
    <Field id={`quiet-${id}`} label={label}>
      <Input
        type="time"
        className="tabular-nums"
        value={quiet[id]}
        disabled={!quiet.on}
        onChange={(event) => onChange({ quiet: { ...quiet, [id]: event.currentTarget.value } })}
      />
    </Field>
  )
  return (
    <Card className="grid gap-4 p-4 sm:p-6">
      <CardHeading
        title="Jam tenang"
        lead="Selama jam ini hanya kabar penting yang dikirim. Yang lain menunggu, lalu datang sebagai satu ringkasan."
      />
      <Checkbox
        label="Pakai jam tenang"
        checked={quiet.on}
        onChange={(event) => onChange({ quiet: { ...quiet, on: event.currentTarget.checked } })}
      />
      <div className="grid grid-cols-2 gap-3">
        {time('from', 'Mulai')}
        {time('to', 'Selesai')}
      </div>
      {faults.quiet && (
        <p role="alert" className="text-sm font-medium text-warn-ink">
          {faults.quiet}
        </p>
      )}
      <Field
        id="alert-zone"
        label="Zona waktu"
        hint="Untuk jam tenang, dan untuk jam di dalam pesan."
        fault={faults.zone}
      >
        <Select value={zone} onChange={(event) => onChange({ zone: event.currentTarget.value })}>
          {zonesFor(zone).map((each) => (
            <option key={each} value={each}>
              {zoneWords(each)} ({each})
            </option>
          ))}
        </Select>
      </Field>
    </Card>
  )
}
