import type { AddTelegramBody, TelegramLinkAnswer, TelegramLinkStateAnswer } from '@siarin/contracts/alerts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Check, CircleCheck, Copy, Send } from 'lucide-react'
import { type FormEvent, useEffect, useState } from 'react'
import { renderSVG } from 'uqr'
import { Button } from '../../../components/button.tsx'
import { buttonStyle } from '../../../components/button-styles.ts'
import { Dialog } from '../../../components/dialog.tsx'
import { Disclosure } from '../../../components/disclosure.tsx'
import { CodeInput, Field } from '../../../components/field.tsx'
import { Spinner } from '../../../components/spinner.tsx'
import { classes } from '../../../lib/classes.ts'
import { featureMessage, REQUEST_FAILED } from '../../../lib/feature-calls.ts'
import { SessionEndedError } from '../../../lib/http.ts'
import { useCopied } from '../../../lib/use-copied.ts'
import { channelsQuery, linkTelegram, telegramLinkQuery } from '../api/channels.ts'

type Link = TelegramLinkAnswer['data']

/** Always dark on white with the rim of the standard, as cameras want it. */
const qrAddress = (url: string): string =>
  `data:image/svg+xml,${encodeURIComponent(renderSVG(url, { border: 4, pixelSize: 8 }))}`

const failureOf = (error: Error | null): string | null =>
  error && !(error instanceof SessionEndedError) ? featureMessage(error, REQUEST_FAILED) : null

interface OwnBotProps {
  busy: boolean
  failure: string | null
  onToken: (botToken: string) => void
}

/** For who wants the messages to come from a bot of their own, or where the operator has none. */
function OwnBot({ busy, failure, onToken }: OwnBotProps) {
  const [token, setToken] = useState('')
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    onToken(token.trim())
  }
  return (
    <form noValidate className="grid gap-3" onSubmit={submit}>
      <Field
        id="telegram-token"
        label="Token bot"
        hint="Buat bot lewat @BotFather di Telegram, lalu salin tokennya ke sini. Disimpan terenkripsi dan tidak ditampilkan lagi."
        fault={failure}
      >
        <CodeInput
          value={token}
          maxLength={200}
          placeholder="123456789:AA…"
          onChange={(event) => setToken(event.currentTarget.value)}
        />
      </Field>
      <Button
        type="submit"
        look="secondary"
        className="justify-self-start"
        busy={busy}
        disabled={busy || token.trim() === ''}
      >
        {busy ? 'Memeriksa...' : 'Pakai bot ini'}
      </Button>
    </form>
  )
}

/** The code as one types it, for who has Telegram elsewhere. */
function TypedCode({ code, bot }: { code: string; bot: string }) {
  const command = `/start ${code}`
  const [copied, copy] = useCopied(command)
  const Icon = copied ? Check : Copy
  return (
    <div className="grid gap-2 text-xs text-ink-soft">
      <p>
        Atau kirim pesan ini ke <span className="font-mono break-all text-ink">@{bot}</span>:
      </p>
      <div className="flex items-center gap-2">
        <code className="min-w-0 flex-1 rounded-control bg-raised px-3 py-2 font-mono text-xs break-all text-ink select-all">
          {command}
        </code>
        <Button look="secondary" size="small" onClick={() => void copy()}>
          <Icon aria-hidden size={16} strokeWidth={1.75} />
          <span aria-live="polite">{copied ? 'Tersalin' : 'Salin'}</span>
        </Button>
      </div>
    </div>
  )
}

function LinkState({ answer }: { answer: TelegramLinkStateAnswer | undefined }) {
  const { state = 'waiting', problem = null } = answer?.data ?? {}
  const stands = state === 'expired' || problem !== null
  return (
    <p
      role="status"
      className={classes('flex items-center gap-2 text-sm text-pretty', stands ? 'text-warn-ink' : 'text-ink-soft')}
    >
      {!stands && <Spinner />}
      {stands ? answer?.message : 'Menunggu Anda menekan Mulai di Telegram…'}
    </p>
  )
}

/** A group is chosen with the same code, by another word in the address. */
const groupAddress = (url: string): string => url.replace('?start=', '?startgroup=')

function LinkSteps({ link, answer }: { link: Link; answer: TelegramLinkStateAnswer | undefined }) {
  return (
    <div className="grid gap-4">
      <p className="text-sm text-pretty">
        Buka Telegram lewat tombol ini, lalu tekan <strong>Mulai</strong>. Untuk grup, pilih tombol kedua.
      </p>
      <div className="flex flex-wrap gap-2">
        <a href={link.url} target="_blank" rel="noreferrer" className={buttonStyle('primary')}>
          <Send aria-hidden size={18} strokeWidth={1.75} />
          Buka Telegram
        </a>
        <a href={groupAddress(link.url)} target="_blank" rel="noreferrer" className={buttonStyle('secondary')}>
          Pilih grup
        </a>
      </div>
      {/* A phone does not scan its own screen. */}
      <figure className="grid justify-items-center gap-2 pointer-coarse:hidden">
        <img
          src={qrAddress(link.url)}
          alt="Kode QR yang membuka bot di Telegram"
          width={176}
          height={176}
          className="size-44 rounded-control border border-line bg-white"
        />
        <figcaption className="text-xs text-ink-soft">Telegram ada di ponsel? Pindai gambar ini.</figcaption>
      </figure>
      <TypedCode code={link.code} bot={link.botName} />
      <LinkState answer={answer} />
    </div>
  )
}

function Linked({ text, onClose }: { text: string; onClose: () => void }) {
  return (
    <div role="status" className="grid justify-items-center gap-4 py-2 text-center">
      <span className="grid size-12 place-items-center rounded-full bg-accent-wash text-accent-ink">
        <CircleCheck aria-hidden size={22} strokeWidth={1.75} />
      </span>
      <p className="text-sm text-pretty">{text}</p>
      <Button onClick={onClose}>Selesai</Button>
    </div>
  )
}

/** `offered`: the code of the operator's bot, which was asked for with the press that opened this; null: there is no such bot. */
export function TelegramDialog({ offered, onClose }: { offered: Link | null; onClose: () => void }) {
  const queryClient = useQueryClient()
  const begin = useMutation({ mutationFn: (body: AddTelegramBody) => linkTelegram(body) })
  const link = begin.data ?? offered
  const { data: answer } = useQuery({ ...telegramLinkQuery(link?.code ?? ''), enabled: link !== null })
  const isLinked = answer?.data.state === 'linked'
  useEffect(() => {
    if (isLinked) void queryClient.invalidateQueries({ queryKey: channelsQuery().queryKey })
  }, [isLinked, queryClient])
  const ownBot = (
    <OwnBot
      busy={begin.isPending}
      failure={failureOf(begin.error)}
      onToken={(botToken) => begin.mutate({ botToken })}
    />
  )
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title="Hubungkan Telegram"
      description="Kabar siaran Anda dikirim oleh bot, ke chat yang Anda pilih."
    >
      {isLinked ? (
        <Linked text={answer.message} onClose={onClose} />
      ) : (
        <div className="grid gap-4">
          {link && <LinkSteps link={link} answer={answer} />}
          {!link && ownBot}
          {offered && !begin.data && <Disclosure label="Pakai bot sendiri">{ownBot}</Disclosure>}
          <Button look="quiet" className="justify-self-end" onClick={onClose}>
            Batal
          </Button>
        </div>
      )}
    </Dialog>
  )
}
