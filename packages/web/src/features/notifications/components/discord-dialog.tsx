import { CHANNEL_NAME_MAX } from '@siarin/contracts/alerts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { CodeInput, Field, Input } from '../../../components/field.tsx'
import { FormDialog } from '../../../components/form-dialog.tsx'
import { featureMessage, REQUEST_FAILED } from '../../../lib/feature-calls.ts'
import { SessionEndedError } from '../../../lib/http.ts'
import { notifySuccess } from '../../../lib/notify.ts'
import { addDiscord, channelsQuery } from '../api/channels.ts'

export function DiscordDialog({ onClose }: { onClose: () => void }) {
  const queryClient = useQueryClient()
  const [name, setName] = useState('')
  const [url, setUrl] = useState('')
  const add = useMutation({
    mutationFn: () => addDiscord({ url: url.trim(), ...(name.trim() !== '' && { name: name.trim() }) }),
    onSuccess: async ({ message }) => {
      await queryClient.invalidateQueries({ queryKey: channelsQuery().queryKey })
      onClose()
      notifySuccess(message)
    },
  })
  const failure =
    add.error && !(add.error instanceof SessionEndedError) ? featureMessage(add.error, REQUEST_FAILED) : null
  return (
    <FormDialog
      title="Hubungkan Discord"
      description="Di Discord: Edit kanal, Integrasi, Webhook, Webhook baru, lalu Salin URL webhook."
      submit={{ label: 'Hubungkan', busyLabel: 'Menghubungkan...', disabled: url.trim() === '' }}
      busy={add.isPending}
      failure={failure}
      onSubmit={(event: FormEvent) => {
        event.preventDefault()
        add.mutate()
      }}
      onClose={onClose}
    >
      <Field
        id="discord-url"
        label="URL webhook"
        hint="Disimpan terenkripsi dan tidak ditampilkan lagi: siapa pun yang memegangnya bisa menulis ke kanal itu."
      >
        <CodeInput
          inputMode="url"
          placeholder="https://discord.com/api/webhooks/…"
          value={url}
          maxLength={500}
          onChange={(event) => {
            setUrl(event.currentTarget.value)
            add.reset()
          }}
        />
      </Field>
      <Field id="discord-name" label="Nama (opsional)" hint="Untuk mengenalinya di sini, misalnya nama kanalnya.">
        <Input value={name} maxLength={CHANNEL_NAME_MAX} onChange={(event) => setName(event.currentTarget.value)} />
      </Field>
    </FormDialog>
  )
}
