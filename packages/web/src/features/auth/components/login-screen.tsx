import { zodResolver } from '@hookform/resolvers/zod'
import { type LoginAnswer, LoginBody } from '@siarin/contracts/auth'
import { REQUIRED_EMAIL_DOMAIN } from '@siarin/contracts/limits'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { Link, useNavigate } from 'react-router'
import { Field, Input } from '../../../components/field.tsx'
import { PasswordField } from '../../../components/password-field.tsx'
import { RippleButton } from '../../../components/ripple-button.tsx'
import { chatLink } from '../../../lib/chat-link.ts'
import { showAlert } from '../../../lib/dialogs.ts'
import { serverMessage } from '../../../lib/http.ts'
import { logError } from '../../../lib/log.ts'
import { notifySuccess } from '../../../lib/notify.ts'
import { startSession } from '../../../lib/session.ts'
import { settings } from '../../../lib/settings.ts'
import { useTypedBefore } from '../../../lib/use-typed-before.ts'
import { login } from '../api/auth.ts'
import { AuthFrame } from './auth-frame.tsx'
import { SecondStep } from './second-step.tsx'

const LINK =
  'relative inline-block rounded font-semibold text-accent-ink underline-offset-4 after:absolute after:-inset-x-2 after:-inset-y-2.5 hover:underline'

/** By a link from a mail; without mails by the operator, who has to be asked. */
function LostPassword() {
  const { brand, whatsappNumber, sendsMail } = settings()
  if (sendsMail) {
    return (
      <p className="mt-5 text-center text-sm">
        <Link to="/forgot-password" className={LINK}>
          Lupa password?
        </Link>
      </p>
    )
  }
  return (
    <p className="mt-5 text-center text-sm text-pretty text-ink-soft">
      Lupa password?{' '}
      {whatsappNumber ? (
        <a
          href={chatLink(`Halo admin ${brand}, saya lupa password. Email akun saya: `)}
          target="_blank"
          rel="noreferrer"
          className={LINK}
        >
          Hubungi kami lewat WhatsApp.
        </a>
      ) : (
        'Hubungi administrator.'
      )}
    </p>
  )
}

export function LoginScreen() {
  const navigate = useNavigate()
  const typed = useTypedBefore()
  const [challenge, setChallenge] = useState<string | null>(null)
  const { register, handleSubmit, formState } = useForm({
    resolver: zodResolver(LoginBody),
    mode: 'onChange',
    defaultValues: { email: typed('email'), password: typed('password') },
  })
  const { isSubmitting, isValid } = formState

  const enter = async ({ token, user }: LoginAnswer): Promise<void> => {
    startSession(token, user)
    await navigate('/profile')
    notifySuccess('Login Successful!')
  }

  const submit = handleSubmit(async (body) => {
    let answer: Awaited<ReturnType<typeof login>>
    try {
      answer = await login(body)
    } catch (error) {
      logError('Login failed', error)
      void showAlert('Login Failed', serverMessage(error) ?? 'Unable to login. Please try again.')
      return
    }
    if ('challenge' in answer) setChallenge(answer.challenge)
    else await enter(answer)
  })

  if (challenge !== null) {
    return <SecondStep challenge={challenge} onEntered={enter} onEnded={() => setChallenge(null)} />
  }

  return (
    <AuthFrame
      title="Login"
      lead="Masuk untuk mengatur siaran Anda."
      other={{ question: 'Belum punya akun?', label: 'Register', path: '/register' }}
    >
      {/* POST: a form that is sent before its code is here must not put a password into an address. */}
      <form method="post" noValidate onSubmit={submit} className="grid gap-4">
        <Field id="email" label="Email" hint={`Pakai alamat ${REQUIRED_EMAIL_DOMAIN}`}>
          <Input type="email" required autoComplete="email" placeholder="nama@gmail.com" {...register('email')} />
        </Field>
        <PasswordField id="password" required autoComplete="current-password" {...register('password')} />
        <RippleButton type="submit" className="mt-2 w-full" busy={isSubmitting} disabled={isSubmitting || !isValid}>
          {isSubmitting ? 'Logging in...' : 'Login'}
        </RippleButton>
      </form>
      <LostPassword />
    </AuthFrame>
  )
}
