import type { AlertChannelKind } from '@siarin/contracts/alert-kinds'
import type { AlertSettings } from '@siarin/contracts/alerts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { Card, CardHeading } from '../../../components/card.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { Loading, Skeleton } from '../../../components/skeleton.tsx'
import { featureMessage, REQUEST_FAILED } from '../../../lib/feature-calls.ts'
import { SessionEndedError } from '../../../lib/http.ts'
import { notifySuccess, notifyWarning } from '../../../lib/notify.ts'
import { channelsQuery } from '../api/channels.ts'
import { alertSettingsQuery, saveAlertSettings } from '../api/settings.ts'
import { formOf, isChanged, readForm, type SettingsFaults, type SettingsForm, withSwitch } from '../settings-form.ts'
import { KindSwitches } from './kind-switches.tsx'
import { QuietFields, ThresholdFields } from './rule-fields.tsx'

/** Above a phone's bottom bar, so that it is never out of reach while something is to be saved. */
function SaveBar({ busy, onSave, onUndo }: { busy: boolean; onSave: () => void; onUndo: () => void }) {
  return (
    <section
      aria-label="Perubahan yang belum disimpan"
      className="sticky bottom-[calc(4rem+env(safe-area-inset-bottom))] z-20 flex animate-rise flex-wrap items-center justify-between gap-3 rounded-card border border-line bg-card px-4 py-3 shadow-soft md:bottom-4"
    >
      <p className="text-sm font-semibold">Perubahan belum disimpan</p>
      <div className="ml-auto flex gap-2">
        <Button look="quiet" size="small" disabled={busy} onClick={onUndo}>
          Urungkan
        </Button>
        <Button size="small" busy={busy} disabled={busy} onClick={onSave}>
          {busy ? 'Menyimpan...' : 'Simpan'}
        </Button>
      </div>
    </section>
  )
}

const FIELDS: Record<keyof SettingsFaults, string> = {
  offAirMinutes: 'off-air-minutes',
  restartsPerHour: 'restarts-per-hour',
  quiet: 'quiet-to',
  zone: 'alert-zone',
}

/** The bar that saves is in reach from everywhere; what is wrong may be out of sight. */
function showFault(faults: SettingsFaults): void {
  const [first] = Object.keys(faults) as (keyof SettingsFaults)[]
  if (!first) return
  const field = document.getElementById(FIELDS[first])
  field?.scrollIntoView({ block: 'center' })
  field?.focus({ preventScroll: true })
}

/** What is typed and not saved yet; null: nothing, what the server has counts. */
function useDraft(settings: AlertSettings) {
  const queryClient = useQueryClient()
  const [draft, setDraft] = useState<SettingsForm | null>(null)
  const [faults, setFaults] = useState<SettingsFaults>({})
  const form = draft ?? formOf(settings)
  const undo = (): void => {
    setDraft(null)
    setFaults({})
  }
  const save = useMutation({
    mutationFn: saveAlertSettings,
    onSuccess: ({ data, message }) => {
      queryClient.setQueryData(alertSettingsQuery().queryKey, data)
      undo()
      notifySuccess(message)
    },
    onError: (error) => {
      if (!(error instanceof SessionEndedError)) notifyWarning(featureMessage(error, REQUEST_FAILED))
    },
  })
  return {
    form,
    faults,
    changed: draft !== null && isChanged(draft, settings),
    busy: save.isPending,
    undo,
    change(part: Partial<SettingsForm>): void {
      setDraft({ ...form, ...part })
      setFaults({})
    },
    save(): void {
      const read = readForm(form)
      if ('settings' in read) save.mutate(read.settings)
      else {
        setFaults(read.faults)
        showFault(read.faults)
      }
    },
  }
}

function Settings({ settings }: { settings: AlertSettings }) {
  const { form, faults, changed, busy, undo, change, save } = useDraft(settings)
  const channels = useQuery(channelsQuery()).data?.data
  const connected = useMemo(
    () => new Set<AlertChannelKind>(channels?.filter(({ state }) => state === 'on').map(({ kind }) => kind)),
    [channels],
  )
  return (
    <>
      <Card className="min-w-0 overflow-clip">
        <div className="p-4 sm:px-6">
          <CardHeading
            title="Kabar yang dikirim"
            lead="Satu pesan untuk setiap kejadian, dan satu lagi saat sudah selesai. Yang bertanda Penting tetap dikirim di jam tenang."
          />
        </div>
        <div className="border-t border-line">
          <KindSwitches
            form={form}
            connected={connected}
            onSwitch={(kind, place, on) => change(withSwitch(form, kind, place, on))}
          />
        </div>
      </Card>
      <div className="grid items-start gap-6 md:grid-cols-2">
        <ThresholdFields form={form} faults={faults} onChange={change} />
        <QuietFields form={form} faults={faults} onChange={change} />
      </div>
      {changed && <SaveBar busy={busy} onSave={save} onUndo={undo} />}
    </>
  )
}

/** Which alerts go where, from when on, and when not. */
export function SettingsSection() {
  const { data, error, refetch } = useQuery(alertSettingsQuery())
  if (data) return <Settings settings={data} />
  return (
    <Card>
      {error && !(error instanceof SessionEndedError) ? (
        <ErrorState text={featureMessage(error, REQUEST_FAILED)} onRetry={() => void refetch()} />
      ) : (
        <Loading className="grid gap-3 p-6">
          <Skeleton className="h-8 w-2/5" />
          <Skeleton className="h-64" />
        </Loading>
      )}
    </Card>
  )
}
