import { zodResolver } from '@hookform/resolvers/zod'
import { RegisterBody } from '@siarin/contracts/auth'
import { PASSWORD_MIN, REQUIRED_EMAIL_DOMAIN, USERNAME_MIN } from '@siarin/contracts/limits'
import { useForm } from 'react-hook-form'
import { useNavigate } from 'react-router'
import { Field, Input } from '../../../components/field.tsx'
import { PasswordField } from '../../../components/password-field.tsx'
import { RippleButton } from '../../../components/ripple-button.tsx'
import { showAlert } from '../../../lib/dialogs.ts'
import { serverMessage } from '../../../lib/http.ts'
import { logError } from '../../../lib/log.ts'
import { notifySuccess } from '../../../lib/notify.ts'
import { settings } from '../../../lib/settings.ts'
import { useTypedBefore } from '../../../lib/use-typed-before.ts'
import { register as registerAccount } from '../api/auth.ts'
import { AuthFrame } from './auth-frame.tsx'

/** Two sentences to read while the page changes. */
const REGISTERED_MS = 4000

export function RegisterScreen() {
  const { brand, trialDays } = settings()
  const navigate = useNavigate()
  const typed = useTypedBefore()
  const { register, handleSubmit, formState } = useForm({
    resolver: zodResolver(RegisterBody),
    mode: 'onChange',
    defaultValues: { username: typed('username'), email: typed('email'), password: typed('password') },
  })
  const { isSubmitting, isValid } = formState

  const submit = handleSubmit(async (body) => {
    try {
      await registerAccount(body)
    } catch (error) {
      logError('Registration failed', error)
      void showAlert('Registration Failed', serverMessage(error) ?? 'Unable to register. Please try again.')
      return
    }
    notifySuccess('Registration Successful!', 'You can now login with your credentials', REGISTERED_MS)
    await navigate('/login')
  })

  return (
    <AuthFrame
      title="Register"
      lead={`Buat akun ${brand}. Gratis ${trialDays} hari, tanpa kartu kredit.`}
      other={{ question: 'Sudah punya akun?', label: 'Login', path: '/login' }}
    >
      {/* POST: a form that is sent before its code is here must not put a password into an address. */}
      <form method="post" noValidate onSubmit={submit} className="grid gap-4">
        <Field id="username" label="Username" hint={`Minimal ${USERNAME_MIN} karakter`}>
          <Input
            type="text"
            required
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            {...register('username')}
          />
        </Field>
        <Field id="email" label="Email" hint={`Pakai alamat ${REQUIRED_EMAIL_DOMAIN}`}>
          <Input type="email" required autoComplete="email" placeholder="nama@gmail.com" {...register('email')} />
        </Field>
        <PasswordField
          id="password"
          required
          autoComplete="new-password"
          hint={`Password must be at least ${PASSWORD_MIN} characters`}
          {...register('password')}
        />
        <RippleButton type="submit" className="mt-2 w-full" busy={isSubmitting} disabled={isSubmitting || !isValid}>
          {isSubmitting ? 'Registering...' : 'Register'}
        </RippleButton>
      </form>
    </AuthFrame>
  )
}
