import { zodResolver } from '@hookform/resolvers/zod'
import { CodeBody } from '@siarin/contracts/second-factor'
import { useForm } from 'react-hook-form'
import { CodeField } from '../../../components/code-field.tsx'
import { RippleButton } from '../../../components/ripple-button.tsx'
import { showAlert } from '../../../lib/dialogs.ts'
import { serverCode, serverMessage } from '../../../lib/http.ts'
import { logError } from '../../../lib/log.ts'
import { loginWithCode } from '../api/auth.ts'
import { AuthFrame } from './auth-frame.tsx'

interface SecondStepProps {
  challenge: string
  onEntered: (answer: Awaited<ReturnType<typeof loginWithCode>>) => Promise<void>
  /** The time is over: the password has to be typed again. */
  onEnded: () => void
}

/** The password was right; the account asks for a code of the app as well. */
export function SecondStep({ challenge, onEntered, onEnded }: SecondStepProps) {
  const { register, handleSubmit, formState, reset } = useForm({
    resolver: zodResolver(CodeBody),
    mode: 'onChange',
    defaultValues: { code: '' },
  })
  const { isSubmitting, isValid } = formState

  const submit = handleSubmit(async ({ code }) => {
    try {
      await onEntered(await loginWithCode({ challenge, code }))
    } catch (error) {
      logError('Login failed', error)
      reset()
      if (serverCode(error) === 'session_ended') onEnded()
      void showAlert('Login Failed', serverMessage(error) ?? 'Unable to login. Please try again.')
    }
  })

  return (
    <AuthFrame
      title="Verifikasi dua langkah"
      lead="Buka aplikasi autentikator di ponsel Anda, lalu masukkan kodenya."
      other={{ question: 'Bukan akun Anda?', label: 'Login lagi', path: '/login', onFollow: onEnded }}
    >
      <form noValidate onSubmit={submit} className="grid gap-4">
        <CodeField id="code" autoFocus {...register('code')} />
        <RippleButton type="submit" className="mt-2 w-full" busy={isSubmitting} disabled={isSubmitting || !isValid}>
          {isSubmitting ? 'Logging in...' : 'Lanjutkan'}
        </RippleButton>
      </form>
      <p className="mt-5 text-center text-sm text-pretty text-ink-soft">
        Ponsel hilang? Pakai salah satu kode pemulihan, atau hubungi administrator.
      </p>
    </AuthFrame>
  )
}
