import { ACCOUNT_NAME_MAX } from '@siarin/contracts/limits'
import { Field, Input } from './field.tsx'

interface OwnNameFieldProps {
  id: string
  label: string
  value: string
  fault: string | undefined
  onChange: (name: string) => void
}

/** What the person calls something of theirs, in whatever script. */
export function OwnNameField({ id, label, value, fault, onChange }: OwnNameFieldProps) {
  return (
    <Field id={id} label={label} hint="Nama untuk Anda sendiri, bebas." fault={fault}>
      <Input
        type="text"
        dir="auto"
        value={value}
        maxLength={ACCOUNT_NAME_MAX}
        autoComplete="off"
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    </Field>
  )
}
