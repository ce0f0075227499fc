import { VIDEO_TEXTS } from '@siarin/contracts/texts'
import { ImportVideoBody } from '@siarin/contracts/videos'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link2 } from 'lucide-react'
import { type SubmitEvent, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Field, Input } from '../../components/field.tsx'
import { PlanLink } from '../../components/plan-link.tsx'
import { featureMessage, isAboutPlan, REQUEST_FAILED } from '../../lib/feature-calls.ts'
import { SessionEndedError } from '../../lib/http.ts'
import type { Say } from '../../lib/message.ts'
import { importVideo, videosQuery } from './api/videos.ts'

/** What the browser can judge of an address; the server judges the rest. */
function addressFault(url: string): string | null {
  const { success, data } = ImportVideoBody.safeParse({ url })
  return success && /^https?:\/\/[^\s/]/i.test(data.url) ? null : VIDEO_TEXTS.urlInvalid
}

function ImportForm({ onDone, say }: { onDone: () => void; say: Say }) {
  const queryClient = useQueryClient()
  const [url, setUrl] = useState('')
  const [fault, setFault] = useState<string | null>(null)

  const fetching = useMutation({
    mutationFn: () => importVideo(url.trim()),
    onSuccess: async (message) => {
      await queryClient.invalidateQueries({ queryKey: videosQuery().queryKey })
      onDone()
      say(message || VIDEO_TEXTS.importStarted)
    },
    onError: (error) => {
      if (!(error instanceof SessionEndedError)) setFault(featureMessage(error, REQUEST_FAILED))
    },
  })

  const submit = (event: SubmitEvent): void => {
    event.preventDefault()
    const found = addressFault(url)
    setFault(found)
    if (found === null) fetching.mutate()
  }

  return (
    <form noValidate className="grid gap-5" onSubmit={submit}>
      <Field
        id="import-url"
        label="Alamat video"
        hint="Alamat langsung ke file videonya, misalnya yang berakhiran .mp4."
        fault={fault}
      >
        <Input
          type="url"
          inputMode="url"
          placeholder="https://"
          value={url}
          maxLength={2048}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          className="font-mono"
          onChange={(event) => {
            setUrl(event.currentTarget.value)
            setFault(null)
          }}
        />
      </Field>
      <div className="flex flex-wrap justify-end gap-3">
        {fault && isAboutPlan(fetching.error) && <PlanLink look="secondary" />}
        <Button look="quiet" onClick={onDone}>
          Batal
        </Button>
        <Button type="submit" busy={fetching.isPending} disabled={fetching.isPending}>
          {fetching.isPending ? 'Memproses...' : 'Ambil video'}
        </Button>
      </div>
    </form>
  )
}

/** Fetches a video from an address, so that it need not travel through the person's own line. */
export function ImportDialog({ say }: { say: Say }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button look="secondary" size="small" className="max-sm:w-full" onClick={() => setOpen(true)}>
        <Link2 aria-hidden size={18} strokeWidth={1.75} />
        Ambil dari alamat
      </Button>
      <Dialog
        open={open}
        onOpenChange={setOpen}
        title="Ambil video dari alamat"
        description="Server mengambilnya untuk Anda; halaman ini boleh ditutup sementara itu."
      >
        <ImportForm onDone={() => setOpen(false)} say={say} />
      </Dialog>
    </>
  )
}
