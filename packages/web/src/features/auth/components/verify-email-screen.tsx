import { RECOVERY_TEXTS } from '@siarin/contracts/auth-texts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { Spinner } from '../../../components/spinner.tsx'
import { serverMessage } from '../../../lib/http.ts'
import { isLoggedIn } from '../../../lib/session.ts'
import { verifyEmail } from '../api/recovery.ts'
import { useLinkToken } from '../use-link-token.ts'
import { AuthFrame } from './auth-frame.tsx'
import { Outcome } from './outcome.tsx'

const FAILED = 'Server belum bisa dihubungi. Muat ulang halaman ini dari tautan di email.'

/** Opened from the mail: it needs nothing more than that. */
export function VerifyEmailScreen() {
  const token = useLinkToken()
  const queryClient = useQueryClient()
  const { mutate, data, error, isPending, isIdle } = useMutation({
    mutationFn: verifyEmail,
    onSuccess: () => void queryClient.invalidateQueries({ queryKey: ['profile'] }),
  })
  const sent = useRef(false)
  useEffect(() => {
    // A link counts once, and an effect may run twice.
    if (!token || sent.current) return
    sent.current = true
    mutate(token)
  }, [token, mutate])

  return (
    <AuthFrame
      title="Pastikan alamat email"
      lead="Dengan alamat yang benar, Anda bisa membuat password baru kapan pun lupa."
      other={
        isLoggedIn()
          ? { question: 'Lanjut ke', label: 'Dashboard', path: '/dashboard' }
          : { question: 'Lanjut ke', label: 'Login', path: '/login' }
      }
    >
      {token && (isPending || isIdle) ? (
        <p role="status" className="flex items-center gap-2.5 text-sm text-ink-soft">
          <Spinner />
          Memeriksa tautan...
        </p>
      ) : (
        <Outcome
          good={data !== undefined}
          text={data ?? (error ? (serverMessage(error) ?? FAILED) : RECOVERY_TEXTS.linkEnded)}
        />
      )}
    </AuthFrame>
  )
}
