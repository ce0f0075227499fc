import { useMutation, useQuery } from '@tanstack/react-query'
import { MailWarning } from 'lucide-react'
import { Button } from '../../components/button.tsx'
import { showAlert } from '../../lib/dialogs.ts'
import { SessionEndedError, serverMessage } from '../../lib/http.ts'
import { notifySuccess } from '../../lib/notify.ts'
import { settings } from '../../lib/settings.ts'
import { profileQuery } from './api/profile.ts'
import { resendVerification } from './api/verification.ts'

/** Two sentences to read. */
const SENT_MS = 4000
const FAILED = 'Email belum bisa dikirim. Coba lagi sebentar lagi.'

/** Until a link sent to the address has come back. Everything works meanwhile; nothing is asked where no mail is sent. */
export function VerifyStrip() {
  const { sendsMail } = settings()
  const { data: profile } = useQuery({ ...profileQuery(), enabled: sendsMail })
  const resend = useMutation({
    mutationFn: resendVerification,
    onSuccess: (message) => notifySuccess('Email terkirim', message, SENT_MS),
    onError: (error) => {
      if (!(error instanceof SessionEndedError)) void showAlert('Belum terkirim', serverMessage(error) ?? FAILED)
    },
  })
  if (!sendsMail || !profile || profile.emailVerified) return null
  return (
    <aside
      aria-label="Verifikasi email"
      className="mb-4 flex flex-wrap items-center justify-between gap-x-6 gap-y-2 rounded-card border border-warn-line bg-warn-wash px-4 py-2.5"
    >
      <p className="flex min-w-0 items-start gap-2.5 text-sm font-medium text-pretty text-warn-ink">
        <MailWarning aria-hidden size={20} strokeWidth={1.75} className="shrink-0" />
        <span className="min-w-0">
          Buka tautan yang kami kirim ke <span className="break-words">{profile.email}</span>, supaya Anda bisa membuat
          password baru saat lupa dan menerima notifikasi lewat email.
        </span>
      </p>
      <Button
        look="secondary"
        size="small"
        busy={resend.isPending}
        disabled={resend.isPending}
        onClick={() => resend.mutate()}
      >
        Kirim lagi
      </Button>
    </aside>
  )
}
