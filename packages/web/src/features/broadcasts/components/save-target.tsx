import { presetOf } from '@siarin/contracts/platform-presets'
import { type AddTargetBody, TargetName } from '@siarin/contracts/targets'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { BookmarkPlus } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { FormDialog } from '../../../components/form-dialog.tsx'
import { OwnNameField } from '../../../components/own-name-field.tsx'
import { FeatureError, featureMessage, REQUEST_FAILED } from '../../../lib/feature-calls.ts'
import { SessionEndedError } from '../../../lib/http.ts'
import { notifySuccess } from '../../../lib/notify.ts'
import { addTarget, targetsQuery } from '../../targets/api/targets.ts'
import type { GoForm } from '../go-form.ts'

const HOW =
  'Stream key disimpan terenkripsi dan tidak pernah ditampilkan lagi. Setelah disimpan, tujuan ini langsung dicentang.'

/** What the form has typed, as a target; a whole address brings its server along. */
function typedTarget(name: string, { platform, preset, server, key }: GoForm): AddTargetBody {
  const bare = key.trim()
  const chosen = presetOf(preset)
  const isWhole = /^rtmps?:\/\//i.test(bare)
  return {
    name: name.trim(),
    platform,
    key: bare,
    ...(chosen && { preset: chosen.id, ...(!isWhole && { address: server.trim() || null }) }),
  }
}

interface SaveTargetProps {
  form: GoForm
  onChange: (change: Partial<GoForm>) => void
}

function NameDialog({ form, onChange, onClose }: SaveTargetProps & { onClose: () => void }) {
  const queryClient = useQueryClient()
  const [name, setName] = useState('')
  const [fault, setFault] = useState<string>()
  const save = useMutation({
    mutationFn: () => addTarget(typedTarget(name, form)),
    onSuccess: async ({ data, message }) => {
      await queryClient.invalidateQueries({ queryKey: targetsQuery().queryKey })
      // Its key goes with the tick: sent from the field as well, it would be the same target twice.
      onChange({ ticked: [...form.ticked, data.id], key: '', keyOf: '' })
      onClose()
      notifySuccess(message)
      // The button that opened it has gone with the typed key.
      requestAnimationFrame(() => document.getElementById('go-live')?.focus())
    },
    onError: (error) => {
      if (error instanceof FeatureError && error.code === 'target_exists') setFault(error.message)
    },
  })
  const failure = save.error && !fault && !(save.error instanceof SessionEndedError) ? save.error : null
  return (
    <FormDialog
      title="Simpan sebagai tujuan"
      description={HOW}
      submit={{ label: 'Simpan', busyLabel: 'Menyimpan...', disabled: false }}
      busy={save.isPending}
      failure={failure && featureMessage(failure, REQUEST_FAILED)}
      onSubmit={(event: FormEvent) => {
        event.preventDefault()
        // What is drawn over the Go form still lies inside it for React.
        event.stopPropagation()
        const judged = TargetName.safeParse(name)
        setFault(judged.error?.issues[0]?.message)
        if (judged.success) save.mutate()
      }}
      onClose={onClose}
    >
      <OwnNameField
        id="save-target-name"
        label="Nama"
        value={name}
        fault={fault}
        onChange={(typed) => {
          setName(typed)
          setFault(undefined)
          save.reset()
        }}
      />
    </FormDialog>
  )
}

/** Keeps the typed key for the next broadcasts. */
export function SaveTarget({ form, onChange }: SaveTargetProps) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button look="quiet" size="small" className="-mt-2 -ml-3.5 justify-self-start" onClick={() => setOpen(true)}>
        <BookmarkPlus aria-hidden size={16} strokeWidth={1.75} />
        Simpan sebagai tujuan
      </Button>
      {open && <NameDialog form={form} onChange={onChange} onClose={() => setOpen(false)} />}
    </>
  )
}
