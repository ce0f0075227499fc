import { LIVE_TITLE_MAX, STREAM_KEY_MAX } from '@siarin/contracts/limits'
import { PLATFORM_FACTS, PLATFORMS, type Platform } from '@siarin/contracts/platforms'
import { PRESET_TEXTS } from '@siarin/contracts/preset-texts'
import type { Video } from '@siarin/contracts/videos'
import { Film, ListVideo, Radio } from 'lucide-react'
import { type ReactNode, useCallback } from 'react'
import { Link } from 'react-router'
import { Button } from '../../components/button.tsx'
import { Checkbox } from '../../components/checkbox.tsx'
import { FactLine } from '../../components/fact-line.tsx'
import { Field, Input, Select } from '../../components/field.tsx'
import type { Picked } from '../../lib/picked.ts'
import { preparationWords } from '../library/video-facts.ts'
import { useScheduleRefusal, WhenField } from '../schedules/when-field.tsx'
import type { TikTokAccount } from './api/tiktok.ts'
import { FacebookNote } from './components/facebook-note.tsx'
import { FitNotices } from './components/fit-notice.tsx'
import { PlaylistChoice } from './components/playlist-choice.tsx'
import { PresetFields } from './components/preset-fields.tsx'
import { SaveTarget } from './components/save-target.tsx'
import { SavedTargets } from './components/saved-targets.tsx'
import { type GoForm, mayWait } from './go-form.ts'

const KEY_HINTS: Record<Exclude<Platform, 'tiktok'>, string> = {
  youtube: 'Salin stream key dari YouTube Studio, atau isi alamat RTMP lengkap.',
  facebook: 'Salin stream key dari Live Producer, atau isi alamat RTMP lengkap.',
  lain: 'Isi alamat lengkap yang diawali rtmp:// atau rtmps://.',
}

const KEPT_HINT =
  'Kunci siaran itu tersimpan dan dipakai lagi. Isi kunci baru kalau kunci itu ditolak atau sudah diganti.'

interface AccountChoice {
  readonly list: readonly TikTokAccount[] | undefined
  readonly loading: boolean
  readonly failed: boolean
  readonly reload: () => void
}

interface GoTabProps {
  picked: Picked | null
  form: GoForm
  accounts: AccountChoice
  /** Own videos: the chosen one may not be ready yet, and one may stand in for an online source. */
  videos: readonly Video[] | undefined
  busy: boolean
  /** What is said where it covers no field. */
  message?: ReactNode
  onChange: (change: Partial<GoForm>) => void
  onGo: () => void
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
      <Input
        type="text"
        value={value}
        placeholder={kept ? '•••••••• (kunci tersimpan)' : undefined}
        maxLength={STREAM_KEY_MAX}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        className="font-mono"
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    </Field>
  )
}

export function ChosenSource({ picked }: { picked: Picked | null }) {
  const Icon = picked?.online ? Radio : picked?.playlist ? ListVideo : Film
  return (
    <div className="flex items-center gap-3 rounded-control bg-raised px-3.5 py-3">
      <Icon aria-hidden size={20} strokeWidth={1.75} className="shrink-0 text-ink-soft" />
      {picked ? (
        <div className="min-w-0">
          <p dir="auto" className="truncate text-left text-sm font-semibold" data-testid="chosen-source">
            {picked.name}
          </p>
          {picked.playlist?.facts && <FactLine facts={picked.playlist.facts} />}
        </div>
      ) : (
        <p className="text-sm text-pretty text-ink-soft">
          Silakan pilih video terlebih dahulu dari tab Lokal atau Bigo
        </p>
      )}
    </div>
  )
}

function FallbackField({
  videos = [],
  value,
  onChange,
}: {
  videos: readonly Video[] | undefined
  value: string
  onChange: (name: string) => void
}) {
  const names = videos.filter(({ status }) => status === 'ready').map(({ filename }) => filename)
  return (
    <Field id="fallback" label="Video cadangan" hint="Tayang otomatis saat sumber terputus, lalu kembali ke sumber.">
      <Select value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        <option value="">Tanpa cadangan</option>
        {names.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
        {/* One that an earlier broadcast had: what is sent is what is seen here. */}
        {value && !names.includes(value) && <option value={value}>{value} (tidak tersedia)</option>}
      </Select>
    </Field>
  )
}

/** What is chosen is not ready yet, and the person need not wait for it. */
function WhenReadyField({ video, value, onChange }: { video: Video; value: boolean; onChange: (on: boolean) => void }) {
  return (
    <div className="grid gap-1 rounded-control border border-line px-3.5 py-2">
      <Checkbox
        label="Siarkan begitu siap"
        checked={value}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <p className="text-xs text-pretty text-ink-soft tabular-nums" data-testid="preparation">
        Video ini masih disiapkan: {preparationWords(video)}.{' '}
        {value
          ? 'Siarannya dimulai sendiri begitu siap, juga bila halaman ini ditutup.'
          : 'Siaran baru bisa dimulai setelah videonya siap.'}
      </p>
    </div>
  )
}

/** Scrolled to where it is seen, above the button that sticks. */
function InSight({ children }: { children: ReactNode }) {
  const show = useCallback((element: HTMLElement | null) => element?.scrollIntoView({ block: 'nearest' }), [])
  return (
    <div ref={show} className="scroll-mb-40">
      {children}
    </div>
  )
}

export function GoTab({ picked, form, accounts, videos, busy, message, onChange, onGo }: GoTabProps) {
  const isPicked = ({ filename }: Video): boolean => !picked?.online && filename === picked?.source
  const video = videos?.find(isPicked)
  const coming = video?.status === 'processing' ? video : undefined
  const refusal = useScheduleRefusal(form.schedule, !mayWait(form))
  return (
    <form
      noValidate
      // What is typed into comes to lie above the button that sticks on a phone.
      className="grid gap-4 p-4 max-md:[&_:is(input,select)]:scroll-mb-40"
      onSubmit={(event) => {
        event.preventDefault()
        onGo()
      }}
    >
      <ChosenSource picked={picked} />
      <PlaylistChoice picked={picked} once={form.once} onOnce={(once) => onChange({ once })} />
      {coming && mayWait(form) && !form.schedule && (
        <WhenReadyField video={coming} value={form.whenReady} onChange={(whenReady) => onChange({ whenReady })} />
      )}
      <Field id="live-title" label="Judul live">
        <Input
          type="text"
          value={form.title}
          maxLength={LIVE_TITLE_MAX}
          autoComplete="off"
          onChange={(event) => onChange({ title: event.currentTarget.value })}
        />
      </Field>
      <SavedTargets form={form} onChange={onChange} />
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
      {picked?.online && (
        <FallbackField videos={videos} value={form.fallback} onChange={(fallback) => onChange({ fallback })} />
      )}
      {video && <FitNotices video={video} form={form} />}
      <WhenField value={form.schedule} refusal={refusal} onChange={(schedule) => onChange({ schedule })} />
      {message && <InSight>{message}</InSight>}
      <div className="-mx-4 -mb-4 bg-card p-4 max-md:sticky max-md:bottom-[calc(3.5rem+env(safe-area-inset-bottom))] max-md:border-t max-md:border-line">
        <Button
          id="go-live"
          type="submit"
          className="w-full"
          busy={busy}
          disabled={busy || !picked || refusal !== null}
        >
          {busy ? 'Memproses...' : form.schedule ? 'Simpan jadwal' : 'Go Live'}
        </Button>
      </div>
    </form>
  )
}
