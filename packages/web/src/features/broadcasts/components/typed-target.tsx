import { STREAM_KEY_MAX } from '@siarin/contracts/limits'
import { PLATFORM_FACTS, PLATFORMS, type Platform } from '@siarin/contracts/platforms'
import { PRESET_TEXTS } from '@siarin/contracts/preset-texts'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { Button } from '../../../components/button.tsx'
import { CodeInput, Field, Select } from '../../../components/field.tsx'
import { PresetFields } from '../../targets/preset-fields.tsx'
import type { TikTokAccount } from '../api/tiktok.ts'
import { type GoForm, goesToTickedOnly } from '../go-form.ts'
import { FacebookNote } from './facebook-note.tsx'
import { SaveTarget } from './save-target.tsx'

const KEY_HINTS: Record<Exclude<Platform, 'tiktok'>, string> = {
  youtube: 'Salin stream key dari YouTube Studio, atau isi alamat RTMP lengkap.',
  facebook: 'Salin stream key dari Live Producer, atau isi alamat RTMP lengkap.',
  lain: 'Isi alamat lengkap yang diawali rtmp:// atau rtmps://.',
}

const KEPT_HINT =
  'Kunci siaran itu tersimpan dan dipakai lagi. Isi kunci baru kalau kunci itu ditolak atau sudah diganti.'

export interface AccountChoice {
  readonly list: readonly TikTokAccount[] | undefined
  readonly loading: boolean
  readonly failed: boolean
  readonly reload: () => void
}

function AccountField({
  accounts,
  value,
  onChange,
}: {
  accounts: AccountChoice
  value: string
  onChange: (id: string) => void
}) {
  const { list = [], loading, failed, reload } = accounts
  const nothing = list.length === 0 && !loading
  return (
    <div className="grid gap-2">
      <Field id="tiktok-account" label="Akun TikTok">
        <Select
          value={list.some(({ account_id }) => account_id === value) ? value : ''}
          aria-busy={loading}
          onChange={(event) => onChange(event.currentTarget.value)}
        >
          <option value="">{loading && list.length === 0 ? 'Memuat akun…' : 'Pilih akun TikTok'}</option>
          {list.map((account) => (
            <option key={account.account_id} value={account.account_id}>
              {account.name}
            </option>
          ))}
        </Select>
      </Field>
      {nothing && failed && (
        <Button look="secondary" size="small" className="justify-self-start" onClick={reload}>
          Muat ulang akun
        </Button>
      )}
      {nothing && !failed && (
        <p className="text-xs text-ink-soft">
          Belum ada akun TikTok.{' '}
          <Link to="/fitur/account" className="font-semibold text-accent-ink underline">
            Tambahkan di Account
          </Link>
        </p>
      )}
    </div>
  )
}

function KeyField({
  hint,
  value,
  kept,
  onChange,
}: {
  hint: string
  value: string
  /** The server has the key of the broadcast that is begun again; it never comes back to the page. */
  kept: boolean
  onChange: (key: string) => void
}) {
  return (
    <Field id="stream-key" label="RTMP/stream key" hint={kept && !value ? KEPT_HINT : hint}>
      <CodeInput
        value={value}
        placeholder={kept ? '•••••••• (kunci tersimpan)' : undefined}
        maxLength={STREAM_KEY_MAX}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    </Field>
  )
}

interface TypedTargetProps {
  form: GoForm
  accounts: AccountChoice
  onChange: (change: Partial<GoForm>) => void
}

/** A target that is named here and now. Who has ticked stored ones needs none, and asks for it. */
export function TypedTarget({ form, accounts, onChange }: TypedTargetProps) {
  const [asked, setAsked] = useState(false)
  if (goesToTickedOnly(form) && !asked) {
    return (
      <Button look="quiet" size="small" className="-mt-2 -ml-3.5 justify-self-start" onClick={() => setAsked(true)}>
        <Plus aria-hidden size={16} strokeWidth={1.75} />
        Kirim juga ke tujuan lain
      </Button>
    )
  }
  return (
    <>
      <Field id="platform" label="Platform">
        <Select
          value={form.platform}
          onChange={(event) => onChange({ platform: event.currentTarget.value as Platform })}
        >
          {PLATFORMS.map((platform) => (
            <option key={platform} value={platform}>
              {PLATFORM_FACTS[platform].label}
            </option>
          ))}
        </Select>
      </Field>
      {form.platform === 'facebook' && <FacebookNote />}
      {form.platform === 'lain' && <PresetFields form={form} onChange={onChange} />}
      {form.platform === 'tiktok' ? (
        <AccountField accounts={accounts} value={form.accountId} onChange={(accountId) => onChange({ accountId })} />
      ) : (
        <>
          <KeyField
            hint={form.preset ? PRESET_TEXTS.keyAlone : KEY_HINTS[form.platform]}
            value={form.key}
            kept={form.keyOf !== ''}
            onChange={(key) => onChange({ key })}
          />
          {form.key.trim() !== '' && <SaveTarget form={form} onChange={onChange} />}
        </>
      )}
    </>
  )
}
