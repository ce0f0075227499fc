import { LIVE_TITLE_MAX } from '@siarin/contracts/limits'
import type { Video } from '@siarin/contracts/videos'
import { Film, ListVideo, Radio } from 'lucide-react'
import { type ReactNode, useCallback } from 'react'
import { Button } from '../../components/button.tsx'
import { Checkbox } from '../../components/checkbox.tsx'
import { FactLine } from '../../components/fact-line.tsx'
import { Field, Input, Select } from '../../components/field.tsx'
import type { Picked } from '../../lib/picked.ts'
import { OnlineLogoField } from '../branding/online-logo-field.tsx'
import { preparationWords } from '../library/video-facts.ts'
import { RecordField } from '../recordings/record-field.tsx'
import { useScheduleRefusal, WhenField } from '../schedules/when-field.tsx'
import { FitNotices } from './components/fit-notice.tsx'
import { PlaylistChoice } from './components/playlist-choice.tsx'
import { SavedTargets } from './components/saved-targets.tsx'
import { type AccountChoice, TypedTarget } from './components/typed-target.tsx'
import { VersionChoice } from './components/version-choice.tsx'
import { type GoForm, mayWait } from './go-form.ts'

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
      {video && (
        <VersionChoice video={video} value={form.rendition} onChange={(rendition) => onChange({ rendition })} />
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
      {picked?.online && (
        <>
          <FallbackField videos={videos} value={form.fallback} onChange={(fallback) => onChange({ fallback })} />
          <OnlineLogoField value={form.logo} onChange={(logo) => onChange({ logo })} />
        </>
      )}
      <SavedTargets form={form} onChange={onChange} />
      <TypedTarget form={form} accounts={accounts} onChange={onChange} />
      {video && <FitNotices video={video} form={form} />}
      <RecordField value={form.record} online={Boolean(picked?.online)} onChange={(record) => onChange({ record })} />
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
