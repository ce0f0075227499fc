import { LIVE_TITLE_MAX, STREAM_KEY_MAX } from '@siarin/contracts/limits'
import { PLATFORM_FACTS, type Platform } from '@siarin/contracts/platforms'
import { Link } from 'react-router'
import { Button } from '../../../components/button.tsx'
import { CodeInput, Field, Input, Select } from '../../../components/field.tsx'
import type { Picked } from '../../../lib/picked.ts'
import type { GoForm } from '../../broadcasts/go-form.ts'
import { ChosenSource } from '../../broadcasts/go-tab.tsx'

const SERVICE_PLATFORMS: readonly Platform[] = ['facebook', 'tiktok', 'youtube']

interface ServiceGoTabProps {
  picked: Picked | null
  form: GoForm
  onChange: (change: Partial<GoForm>) => void
}

export function ServiceGoTab({ picked, form, onChange }: ServiceGoTabProps) {
  return (
    <form noValidate className="grid gap-4 p-4" onSubmit={(event) => event.preventDefault()}>
      <ChosenSource picked={picked} />
      <Field id="live-title" label="Judul live">
        <Input
          type="text"
          value={form.title}
          maxLength={LIVE_TITLE_MAX}
          autoComplete="off"
          onChange={(event) => onChange({ title: event.currentTarget.value })}
        />
      </Field>
      <Field id="platform" label="Platform">
        <Select
          value={form.platform}
          onChange={(event) => onChange({ platform: event.currentTarget.value as Platform })}
        >
          {SERVICE_PLATFORMS.map((platform) => (
            <option key={platform} value={platform}>
              {PLATFORM_FACTS[platform].label}
            </option>
          ))}
        </Select>
      </Field>
      {form.platform !== 'tiktok' && (
        <Field id="stream-key" label="Steam Key">
          <CodeInput
            value={form.key}
            maxLength={STREAM_KEY_MAX}
            onChange={(event) => onChange({ key: event.currentTarget.value })}
          />
        </Field>
      )}
      <div className="grid gap-2">
        <Button className="w-full" aria-describedby="go-note">
          Go Live
        </Button>
        <p id="go-note" className="text-xs text-ink-soft">
          Di halaman contoh ini tombolnya tidak memulai apa-apa. Siaran sungguhan dimulai dari{' '}
          <Link to="/fitur/live" className="font-semibold text-accent-ink underline">
            layar Live
          </Link>
          .
        </p>
      </div>
    </form>
  )
}
