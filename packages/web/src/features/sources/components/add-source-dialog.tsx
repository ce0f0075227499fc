import { ONLINE_URL_MAX } from '@siarin/contracts/limits'
import { AddOnlineSourceBody } from '@siarin/contracts/online'
import { ONLINE_TEXTS } from '@siarin/contracts/texts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { type SubmitEvent, useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { CodeInput, Field } from '../../../components/field.tsx'
import { OwnNameField } from '../../../components/own-name-field.tsx'
import { featureMessage, REQUEST_FAILED } from '../../../lib/feature-calls.ts'
import { SessionEndedError } from '../../../lib/http.ts'
import type { Say } from '../../../lib/message.ts'
import { isOnline } from '../../../lib/online-address.ts'
import { addOnlineSource, onlineSourcesQuery } from '../api/online-videos.ts'

type Faults = { readonly name?: string; readonly url?: string }

const NAME_REQUIRED = 'Isi nama untuk sumber ini.'

/** What the browser can judge; the server opens the address and judges the rest. */
function faultsOf(typed: AddOnlineSourceBody): Faults {
  const { error } = AddOnlineSourceBody.safeParse(typed)
  const faultOf = (field: string): string | undefined => error?.issues.find(({ path }) => path[0] === field)?.message
  const name = typed.name.trim() ? faultOf('name') : NAME_REQUIRED
  const url = isOnline(typed.url.trim()) ? faultOf('url') : ONLINE_TEXTS.urlRequired
  return { ...(name && { name }), ...(url && { url }) }
}

function AddSourceForm({ onDone, say }: { onDone: () => void; say: Say }) {
  const queryClient = useQueryClient()
  const [typed, setTyped] = useState<AddOnlineSourceBody>({ name: '', url: '' })
  const [faults, setFaults] = useState<Faults>({})

  const add = useMutation({
    mutationFn: () => addOnlineSource({ name: typed.name.trim(), url: typed.url.trim() }),
    onSuccess: async (message) => {
      await queryClient.invalidateQueries({ queryKey: onlineSourcesQuery().queryKey })
      onDone()
      say(message || ONLINE_TEXTS.added)
    },
    onError: (error) => {
      if (!(error instanceof SessionEndedError)) setFaults({ url: featureMessage(error, REQUEST_FAILED) })
    },
  })

  const type = (change: Partial<AddOnlineSourceBody>): void => {
    setTyped({ ...typed, ...change })
    setFaults({})
  }
  const submit = (event: SubmitEvent): void => {
    event.preventDefault()
    const found = faultsOf(typed)
    setFaults(found)
    if (!found.name && !found.url) add.mutate()
  }

  return (
    <form noValidate className="grid gap-5" onSubmit={submit}>
      <OwnNameField
        id="source-name"
        label="Nama"
        value={typed.name}
        fault={faults.name}
        onChange={(name) => type({ name })}
      />
      <Field
        id="source-url"
        label="Alamat HLS (.m3u8)"
        hint="Alamat playlist-nya, bukan alamat halamannya."
        fault={faults.url}
      >
        <CodeInput
          type="url"
          inputMode="url"
          placeholder="https://"
          value={typed.url}
          maxLength={ONLINE_URL_MAX}
          onChange={(event) => type({ url: event.currentTarget.value })}
        />
      </Field>
      <div className="flex justify-end gap-3">
        <Button look="quiet" onClick={onDone}>
          Batal
        </Button>
        <Button type="submit" busy={add.isPending} disabled={add.isPending}>
          {add.isPending ? 'Memproses...' : 'Tambah sumber'}
        </Button>
      </div>
    </form>
  )
}

export function AddSourceDialog({ say }: { say: Say }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button look="secondary" size="small" onClick={() => setOpen(true)}>
        <Plus aria-hidden size={18} strokeWidth={1.75} />
        Tambah sumber online
      </Button>
      <Dialog
        open={open}
        onOpenChange={setOpen}
        title="Tambah sumber online"
        description="Siaran HLS milik Anda, atau yang boleh Anda siarkan. Alamatnya dicoba dulu sebelum disimpan."
      >
        <AddSourceForm onDone={() => setOpen(false)} say={say} />
      </Dialog>
    </>
  )
}
