import type { LogoLook } from '@siarin/contracts/branding'
import { useQuery } from '@tanstack/react-query'
import { Field, Select } from '../../components/field.tsx'
import { brandKitQuery } from './api/brand-kit.ts'
import { CORNERS } from './components/look-fields.tsx'
import { mayLogo } from './look-form.ts'

interface OnlineLogoFieldProps {
  /** Empty: no logo. */
  value: LogoLook['corner'] | ''
  onChange: (corner: LogoLook['corner'] | '') => void
}

/** The logo on an online source, for somebody who has one. A video gets a version of its own instead. */
export function OnlineLogoField({ value, onChange }: OnlineLogoFieldProps) {
  const { data: kit } = useQuery(brandKitQuery())
  if (!kit || !mayLogo(kit)) return null
  return (
    <Field
      id="online-logo"
      label="Logo di siaran"
      hint="Gambarnya diproses ulang, paling tinggi 720p, bila server punya encoder yang luang. Bila tidak, siaran tetap jalan tanpa logo."
    >
      <Select
        value={value}
        onChange={({ currentTarget }) =>
          onChange(CORNERS.find((corner) => corner.value === currentTarget.value)?.value ?? '')
        }
      >
        <option value="">Tanpa logo</option>
        {CORNERS.map((corner) => (
          <option key={corner.value} value={corner.value}>
            {corner.label}
          </option>
        ))}
      </Select>
    </Field>
  )
}
