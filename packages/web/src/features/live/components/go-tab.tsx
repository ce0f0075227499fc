import { LIVE_TITLE_MAX, STREAM_KEY_MAX } from '@siarin/contracts/limits'
import { PLATFORM_FACTS, PLATFORMS, type Platform } from '@siarin/contracts/platforms'
import { useQuery } from '@tanstack/react-query'
import { Film } from 'lucide-react'
import { Button } from '../../../components/button.tsx'
import { Field, Input, Select } from '../../../components/field.tsx'
import { type TikTokAccount, tikTokAccountsQuery } from '../api/tiktok.ts'
import type { GoForm, Picked } from '../state.ts'

const KEY_HINTS: Record<Exclude<Platform, 'tiktok'>, string> = {
  youtube: 'Salin stream key dari YouTube Studio, atau isi alamat RTMP lengkap.',
  facebook: 'Salin stream key dari Live Producer, atau isi alamat RTMP lengkap.',
  lain: 'Isi alamat lengkap yang diawali rtmp:// atau rtmps://.',
}

interface GoTabProps {
  picked: Picked | null
  form: GoForm
  busy: boolean
  onChange: (change: Partial<GoForm>) => void
  onGo: (accounts: readonly TikTokAccount[]) => void
}

function AccountField({
  accounts,
  value,
  onChange,
}: {
  accounts: readonly TikTokAccount[]
  value: string
  onChange: (id: string) => void
}) {
  return (
    <Field
      id="tiktok-account"
      label="Akun TikTok"
      hint={accounts.length === 0 ? 'Belum ada akun TikTok. Tambahkan di menu Account.' : undefined}
    >
      <Select id="tiktok-account" value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        <option value="">Pilih akun TikTok</option>
        {accounts.map((account) => (
          <option key={account.account_id} value={account.account_id}>
            {account.name}
          </option>
        ))}
      </Select>
    </Field>
  )
}

function KeyField({
  platform,
  value,
  onChange,
}: {
  platform: Exclude<Platform, 'tiktok'>
  value: string
  onChange: (key: string) => void
}) {
  return (
    <Field id="stream-key" label="RTMP/stream key" hint={KEY_HINTS[platform]}>
      <Input
        id="stream-key"
        type="text"
        value={value}
        maxLength={STREAM_KEY_MAX}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        aria-describedby="stream-key-hint"
        className="font-mono"
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    </Field>
  )
}

export function GoTab({ picked, form, busy, onChange, onGo }: GoTabProps) {
  const { data: accounts = [] } = useQuery({ ...tikTokAccountsQuery(), enabled: form.platform === 'tiktok' })

  return (
    <form
      noValidate
      className="grid gap-4 p-4"
      onSubmit={(event) => {
        event.preventDefault()
        onGo(accounts)
      }}
    >
      <div className="flex items-center gap-3 rounded-control bg-raised px-3.5 py-3">
        <Film aria-hidden size={20} strokeWidth={1.75} className="shrink-0 text-ink-soft" />
        {picked ? (
          <p dir="auto" className="min-w-0 truncate text-left text-sm font-semibold" data-testid="chosen-source">
            {picked.name}
          </p>
        ) : (
          <p className="text-sm text-ink-soft">Silakan pilih video terlebih dahulu dari tab Lokal atau Bigo</p>
        )}
      </div>
      <Field id="live-title" label="Judul live">
        <Input
          id="live-title"
          type="text"
          value={form.title}
          maxLength={LIVE_TITLE_MAX}
          autoComplete="off"
          onChange={(event) => onChange({ title: event.currentTarget.value })}
        />
      </Field>
      <Field id="platform" label="Platform">
        <Select
          id="platform"
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
      {form.platform === 'tiktok' ? (
        <AccountField accounts={accounts} value={form.accountId} onChange={(accountId) => onChange({ accountId })} />
      ) : (
        <KeyField platform={form.platform} value={form.key} onChange={(key) => onChange({ key })} />
      )}
      <div className="-mx-4 -mb-4 bg-card p-4 max-md:sticky max-md:bottom-[calc(3.5rem+env(safe-area-inset-bottom))] max-md:border-t max-md:border-line">
        <Button type="submit" className="w-full" busy={busy} disabled={busy || picked === null}>
          {busy ? 'Memproses...' : 'Go Live'}
        </Button>
      </div>
    </form>
  )
}
