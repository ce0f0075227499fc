import type { AlertChannel, ChannelsOffered, TelegramLinkAnswer } from '@siarin/contracts/alerts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { Button } from '../../../components/button.tsx'
import { notifySuccess, notifyWarning } from '../../../lib/notify.ts'
import { keepChannel, keptChannel } from '../../../lib/own-push.ts'
import { addEmail, addPush, channelsQuery, linkTelegram } from '../api/channels.ts'
import { PushRefused, subscribeHere } from '../push-here.ts'
import { browserFacts, PUSH_TEXTS, pushSupport } from '../push-support.ts'
import { tellFailure } from '../use-channel-actions.ts'
import { DiscordDialog } from './discord-dialog.tsx'
import { TelegramDialog } from './telegram-dialog.tsx'

interface ConnectProps {
  offered: ChannelsOffered
  /** Those of this kind that are there. */
  channels: readonly AlertChannel[]
}

const Why = ({ children }: { children: React.ReactNode }) => (
  <p className="max-w-text text-sm text-pretty text-ink-soft">{children}</p>
)

const useReload = () => {
  const queryClient = useQueryClient()
  return () => queryClient.invalidateQueries({ queryKey: channelsQuery().queryKey })
}

export function ConnectTelegram({ offered, channels }: ConnectProps) {
  /** Undefined: closed. */
  const [shown, setShown] = useState<TelegramLinkAnswer['data'] | null>()
  const begin = useMutation({
    mutationFn: () => linkTelegram({}),
    onSuccess: setShown,
    onError: tellFailure,
  })
  return (
    <>
      <Button
        look="secondary"
        size="small"
        busy={begin.isPending}
        disabled={begin.isPending}
        aria-label={channels.length > 0 ? 'Tambah chat Telegram' : 'Hubungkan Telegram'}
        onClick={() => (offered.telegramBot === null ? setShown(null) : begin.mutate())}
      >
        {channels.length > 0 ? 'Tambah chat' : 'Hubungkan'}
      </Button>
      {shown !== undefined && <TelegramDialog offered={shown} onClose={() => setShown(undefined)} />}
    </>
  )
}

export function ConnectDiscord({ offered, channels }: ConnectProps) {
  const [open, setOpen] = useState(false)
  if (!offered.discord) return <Why>Discord belum disiapkan di server ini. Pilih saluran lain.</Why>
  return (
    <>
      <Button
        look="secondary"
        size="small"
        aria-label={channels.length > 0 ? 'Tambah kanal Discord' : 'Hubungkan Discord'}
        onClick={() => setOpen(true)}
      >
        {channels.length > 0 ? 'Tambah kanal' : 'Hubungkan'}
      </Button>
      {open && <DiscordDialog onClose={() => setOpen(false)} />}
    </>
  )
}

const PUSH_FAILED = 'Browser tidak bisa berlangganan sekarang. Periksa koneksi Anda, lalu coba lagi.'

export function ConnectPush({ offered, channels }: ConnectProps) {
  const reload = useReload()
  const [support, setSupport] = useState(() => pushSupport(browserFacts()))
  const publicKey = offered.pushPublicKey
  const isHere = channels.some(({ id, state }) => id === keptChannel() && state === 'on')
  const subscribe = useMutation({
    mutationFn: async (key: string) => addPush(await subscribeHere(key)),
    onSuccess: async ({ data, message }) => {
      keepChannel(data.id)
      await reload()
      notifySuccess(message)
    },
    onError: (error) => {
      setSupport(pushSupport(browserFacts()))
      if (error instanceof PushRefused) return
      if (error instanceof DOMException) notifyWarning(PUSH_FAILED)
      else tellFailure(error)
    },
  })
  if (!offered.push || publicKey === null) return <Why>Notifikasi browser belum disiapkan di server ini.</Why>
  if (support !== 'able') return <Why>{PUSH_TEXTS[support]}</Why>
  if (isHere) return null
  return (
    <Button
      look="secondary"
      size="small"
      busy={subscribe.isPending}
      disabled={subscribe.isPending}
      onClick={() => subscribe.mutate(publicKey)}
    >
      {subscribe.isPending ? 'Menunggu izin...' : 'Aktifkan di browser ini'}
    </Button>
  )
}

export function ConnectEmail({ offered, channels }: ConnectProps) {
  const reload = useReload()
  const add = useMutation({
    mutationFn: addEmail,
    onSuccess: async ({ message }) => {
      await reload()
      notifySuccess(message)
    },
    onError: tellFailure,
  })
  if (!offered.email) return <Why>Server ini belum bisa mengirim email. Pilih saluran lain.</Why>
  if (offered.emailAddress === null) {
    return (
      <Why>
        Alamat email akun Anda belum diverifikasi. Verifikasi dulu di{' '}
        <Link to="/profile" className="font-semibold text-accent-ink underline underline-offset-4">
          halaman profil
        </Link>
        .
      </Why>
    )
  }
  if (channels.length > 0) return null
  return (
    <Button
      look="secondary"
      size="small"
      busy={add.isPending}
      disabled={add.isPending}
      aria-label={`Aktifkan email ke ${offered.emailAddress}`}
      onClick={() => add.mutate()}
    >
      Aktifkan
    </Button>
  )
}
