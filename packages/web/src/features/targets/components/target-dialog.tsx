import { STREAM_KEY_MAX } from '@siarin/contracts/limits'
import { presetOf } from '@siarin/contracts/platform-presets'
import { PLATFORM_FACTS, PLATFORMS, type Platform } from '@siarin/contracts/platforms'
import type { ChangedTargetAnswer, Target } from '@siarin/contracts/targets'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { CodeInput, Field, Select } from '../../../components/field.tsx'
import { FormDialog } from '../../../components/form-dialog.tsx'
import { OwnNameField } from '../../../components/own-name-field.tsx'
import { FeatureError, featureMessage, REQUEST_FAILED } from '../../../lib/feature-calls.ts'
import { SessionEndedError } from '../../../lib/http.ts'
import { notifySuccess, notifyWarning } from '../../../lib/notify.ts'
import { addTarget, changeTarget, targetsQuery } from '../api/targets.ts'
import { PresetFields } from '../preset-fields.tsx'
import {
  asksAddress,
  changedTarget,
  changeForm,
  type FormFaults,
  faultsOf,
  formOf,
  newTarget,
  type TargetForm,
} from '../target-form.ts'

const KEY_HINTS: Record<Platform, string> = {
  youtube: 'Salin dari YouTube Studio, bagian Streaming langsung.',
  facebook: 'Salin dari Live Producer. Nyalakan kunci tetap supaya bisa dipakai lagi.',
  tiktok: 'Salin dari TikTok Live Studio atau Live Center.',
  lain: 'Salin dari halaman siaran platformnya.',
}

interface TargetDialogProps {
  /** Null: a new one. */
  target: Target | null
  onClose: () => void
}

const keyHintOf = ({ platform }: TargetForm, target: Target | null): string =>
  target && target.platform === platform
    ? `Tersimpan: ${target.keyHint}. Kosongkan bila key-nya tetap.`
    : KEY_HINTS[platform]

type Saved = Pick<ChangedTargetAnswer, 'message' | 'usedOnAir'>

/** Saves what was typed; `faults` and `failure` say why not, and what was typed stays. */
function useSave(target: Target | null, onClose: () => void) {
  const queryClient = useQueryClient()
  const [faults, setFaults] = useState<FormFaults>({})
  const [failure, setFailure] = useState<string | null>(null)
  const save = useMutation({
    mutationFn: async (form: TargetForm): Promise<Saved | null> => {
      if (!target) return { ...(await addTarget(newTarget(form))), usedOnAir: false }
      const change = changedTarget(form, target)
      return Object.keys(change).length > 0 ? changeTarget(target.id, change) : null
    },
    onSuccess: async (saved) => {
      await queryClient.invalidateQueries({ queryKey: targetsQuery().queryKey })
      onClose()
      if (!saved) return
      const tell = saved.usedOnAir ? notifyWarning : notifySuccess
      tell(saved.message)
    },
    onError: (error) => {
      if (error instanceof SessionEndedError) return
      const said = featureMessage(error, REQUEST_FAILED)
      if (error instanceof FeatureError && error.code === 'target_exists') setFaults({ name: said })
      else setFailure(said)
    },
  })
  return {
    faults,
    failure,
    busy: save.isPending,
    forget: () => {
      setFaults({})
      setFailure(null)
    },
    submit: (form: TargetForm) => {
      const found = faultsOf(form, target)
      setFaults(found)
      setFailure(null)
      if (Object.keys(found).length === 0) save.mutate(form)
    },
  }
}

export function TargetDialog({ target, onClose }: TargetDialogProps) {
  const [form, setForm] = useState(() => formOf(target))
  const { faults, failure, busy, forget, submit } = useSave(target, onClose)
  const type = (change: Partial<TargetForm>): void => {
    setForm(changeForm(form, change))
    forget()
  }
  return (
    <FormDialog
      title={target ? 'Ubah tujuan' : 'Tambah tujuan'}
      description="Stream key disimpan terenkripsi dan tidak pernah ditampilkan lagi."
      submit={{ label: 'Simpan', busyLabel: 'Menyimpan...', disabled: false }}
      busy={busy}
      failure={failure}
      onSubmit={(event: FormEvent) => {
        event.preventDefault()
        submit(form)
      }}
      onClose={onClose}
    >
      <OwnNameField
        id="target-name"
        label="Nama"
        value={form.name}
        fault={faults.name}
        onChange={(name) => type({ name })}
      />
      <Field id="target-platform" label="Platform">
        <Select value={form.platform} onChange={(event) => type({ platform: event.currentTarget.value as Platform })}>
          {PLATFORMS.map((platform) => (
            <option key={platform} value={platform}>
              {PLATFORM_FACTS[platform].label}
            </option>
          ))}
        </Select>
      </Field>
      {form.platform === 'lain' && (
        <PresetFields
          form={{ preset: form.preset, server: form.address }}
          onChange={({ preset = form.preset, server = form.address }) => type({ preset, address: server })}
        />
      )}
      {asksAddress(form.platform, target) && !presetOf(form.preset) && (
        <Field
          id="target-address"
          label="Alamat server"
          hint="Diawali rtmp:// atau rtmps://, seperti yang ditunjukkan platform."
          fault={faults.address}
        >
          <CodeInput
            inputMode="url"
            placeholder="rtmp://"
            value={form.address}
            maxLength={STREAM_KEY_MAX}
            onChange={(event) => type({ address: event.currentTarget.value })}
          />
        </Field>
      )}
      <Field id="target-key" label="Stream key" hint={keyHintOf(form, target)} fault={faults.key}>
        <CodeInput
          value={form.key}
          maxLength={STREAM_KEY_MAX}
          onChange={(event) => type({ key: event.currentTarget.value })}
        />
      </Field>
    </FormDialog>
  )
}
