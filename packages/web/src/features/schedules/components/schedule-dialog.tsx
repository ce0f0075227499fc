import type { ErrorCode } from '@siarin/contracts/error-codes'
import { LIVE_TITLE_MAX, STREAM_KEY_MAX } from '@siarin/contracts/limits'
import { PLATFORM_FACTS } from '@siarin/contracts/platforms'
import { playlistSource } from '@siarin/contracts/playlists'
import type { Schedule } from '@siarin/contracts/schedules/schedules'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { CodeInput, Field, Input, Select } from '../../../components/field.tsx'
import { FormDialog } from '../../../components/form-dialog.tsx'
import { FeatureError, featureMessage, REQUEST_FAILED } from '../../../lib/feature-calls.ts'
import { SessionEndedError } from '../../../lib/http.ts'
import { notifySuccess, notifyWarning } from '../../../lib/notify.ts'
import { isOnline } from '../../../lib/online-address.ts'
import { playlistsQuery } from '../../library/api/playlist-heads.ts'
import { videosQuery } from '../../library/api/videos.ts'
import { RecordField } from '../../recordings/record-field.tsx'
import { useStanding } from '../../standing/api/standing.ts'
import { changeSchedule, loadSchedule, SCHEDULES_KEY } from '../api/schedules.ts'
import { changeOf } from '../schedule-change.ts'
import { ScheduleFields } from '../schedule-fields.tsx'
import { formOf, readRule, type ScheduleForm } from '../schedule-form.ts'
import { planRefusal } from '../schedule-permit.ts'
import { choiceOf, onlyTyped, type TargetChoice } from '../target-choice.ts'
import { RefusalNote } from './refusal-note.tsx'
import { TargetFields } from './target-fields.tsx'

interface Typed {
  readonly title: string
  readonly source: string
  readonly record: boolean
  readonly key: string
  readonly targets: TargetChoice
  readonly when: ScheduleForm
}

const NOWHERE = 'Pilih setidaknya satu tujuan.'

const CHANGED: ErrorCode = 'schedule_changed'

/** Saves what was typed; `failure` says why not, and what was typed stays. `isOld`: it was changed elsewhere since it was opened here. */
function useSave(schedule: Schedule, onClose: () => void) {
  const queryClient = useQueryClient()
  const [failure, setFailure] = useState<string | null>(null)
  const [isOld, setOld] = useState(false)
  const save = useMutation({
    mutationFn: async ({ when, ...rest }: Typed): Promise<string | null> => {
      const read = readRule(when, Date.now(), false)
      const isNowhere = rest.targets.ticked.length + rest.targets.typed.length === 0
      if (!read.ok || isNowhere) {
        setFailure(read.ok ? NOWHERE : read.text)
        return null
      }
      const { version } = schedule
      const change = changeOf(schedule, { ...rest, rule: read.rule, endAtPass: when.endAtPass })
      const message = Object.keys(change).length > 0 ? await changeSchedule(schedule.id, { ...change, version }) : ''
      await queryClient.invalidateQueries({ queryKey: SCHEDULES_KEY })
      return message
    },
    onSuccess: (message) => {
      if (message === null) return
      onClose()
      if (message) notifySuccess(message)
    },
    onError: (error) => {
      if (error instanceof SessionEndedError) return
      setFailure(featureMessage(error, REQUEST_FAILED))
      setOld(error instanceof FeatureError && error.code === CHANGED)
    },
  })
  return { failure, isOld, busy: save.isPending, forget: () => setFailure(null), submit: save.mutate }
}

const options = (sources: readonly { value: string; name: string }[]) =>
  sources.map(({ value, name }) => (
    <option key={value} value={value}>
      {name}
    </option>
  ))

/** One of the person's videos or playlists, or what it is now, whatever that is. */
function SourceField({ value, kept, onChange }: { value: string; kept: string; onChange: (source: string) => void }) {
  const { data } = useQuery(videosQuery())
  const { data: lists = [] } = useQuery(playlistsQuery())
  const videos = (data?.videos ?? [])
    .filter(({ status }) => status === 'ready')
    .map(({ filename }) => ({ value: filename, name: filename }))
  const playlists = lists
    .map(({ id, name, count }) => ({ value: playlistSource(id), name, count }))
    .filter((list) => list.count > 0 || list.value === kept)
  const isListed = [...videos, ...playlists].some((each) => each.value === kept)
  return (
    <Field id="schedule-source" label="Video atau playlist">
      <Select value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        {!isListed && <option value={kept}>{sourceName(kept)}</option>}
        {playlists.length > 0 && <optgroup label="Playlist">{options(playlists)}</optgroup>}
        {videos.length > 0 && <optgroup label="Video">{options(videos)}</optgroup>}
      </Select>
    </Field>
  )
}

const sourceName = (source: string): string => (source.startsWith('playlist:') ? 'Playlist yang sekarang' : source)

/** Shows the schedule as it is now, in place of what was typed. */
function LoadAgain({ id, onLoaded }: { id: string; onLoaded: (schedule: Schedule) => void }) {
  const load = useMutation({
    mutationFn: () => loadSchedule(id),
    onSuccess: onLoaded,
    onError: (error) => {
      if (!(error instanceof SessionEndedError)) notifyWarning(featureMessage(error, REQUEST_FAILED))
    },
  })
  return (
    <Button look="secondary" size="small" busy={load.isPending} disabled={load.isPending} onClick={() => load.mutate()}>
      Muat jadwal terbaru
    </Button>
  )
}

interface ScheduleDialogProps {
  schedule: Schedule
  onClose: () => void
}

export function ScheduleDialog({ schedule, onClose }: ScheduleDialogProps) {
  const [seen, setSeen] = useState(schedule)
  return <EditDialog key={seen.version} schedule={seen} onLoaded={setSeen} onClose={onClose} />
}

function EditDialog({ schedule, onLoaded, onClose }: ScheduleDialogProps & { onLoaded: (now: Schedule) => void }) {
  const { broadcast } = schedule
  const [typed, setTyped] = useState<Typed>(() => ({
    ...{ title: schedule.title, source: broadcast.source, key: '', record: broadcast.record },
    targets: choiceOf(broadcast.targets),
    when: formOf(schedule.rule, schedule.endAtPass, Date.now()),
  }))
  const { failure, isOld, busy, forget, submit } = useSave(schedule, onClose)
  const replaceable = onlyTyped(broadcast.targets)
  const refusal = planRefusal(useStanding(), typed.when)
  const type = (change: Partial<Typed>): void => {
    setTyped({ ...typed, ...change })
    forget()
  }
  return (
    <FormDialog
      title="Ubah jadwal"
      description="Yang sedang tayang ikut mendapat waktu selesai yang baru."
      submit={{ label: 'Simpan', busyLabel: 'Menyimpan...', disabled: refusal !== null }}
      busy={busy}
      failure={failure}
      remedy={isOld && <LoadAgain id={schedule.id} onLoaded={onLoaded} />}
      onSubmit={(event) => {
        event.preventDefault()
        forget()
        submit(typed)
      }}
      onClose={onClose}
    >
      <Field id="schedule-title" label="Judul jadwal">
        <Input
          type="text"
          value={typed.title}
          maxLength={LIVE_TITLE_MAX}
          autoComplete="off"
          onChange={(event) => type({ title: event.currentTarget.value })}
        />
      </Field>
      <ScheduleFields form={typed.when} isNew={false} onChange={(when) => type({ when })} />
      {refusal && <RefusalNote refusal={refusal} />}
      <SourceField value={typed.source} kept={broadcast.source} onChange={(source) => type({ source })} />
      <RecordField value={typed.record} online={isOnline(typed.source)} onChange={(record) => type({ record })} />
      <TargetFields targets={broadcast.targets} choice={typed.targets} onChange={(targets) => type({ targets })} />
      {replaceable !== null && typed.targets.typed.includes(replaceable) && (
        <Field
          id="schedule-key"
          label={`Stream key baru untuk ${PLATFORM_FACTS[replaceable].label}`}
          hint="Kosongkan bila key-nya tetap."
        >
          <CodeInput
            value={typed.key}
            maxLength={STREAM_KEY_MAX}
            onChange={(event) => type({ key: event.currentTarget.value })}
          />
        </Field>
      )}
    </FormDialog>
  )
}
