import { zodResolver } from '@hookform/resolvers/zod'
import { RECOVERY_TEXTS } from '@siarin/contracts/auth-texts'
import { REQUIRED_EMAIL_DOMAIN } from '@siarin/contracts/limits'
import { AskResetBody } from '@siarin/contracts/recovery'
import { useMutation } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { Field, Input } from '../../../components/field.tsx'
import { RippleButton } from '../../../components/ripple-button.tsx'
import { serverMessage } from '../../../lib/http.ts'
import { settings } from '../../../lib/settings.ts'
import { askReset } from '../api/recovery.ts'
import { AuthFrame } from './auth-frame.tsx'
import { Outcome } from './outcome.tsx'

const FAILED = 'Server belum bisa dihubungi. Periksa koneksi Anda, lalu coba lagi.'

export function ForgotPasswordScreen() {
  const { sendsMail } = settings()
  const { register, handleSubmit, formState } = useForm({
    resolver: zodResolver(AskResetBody),
    mode: 'onChange',
    defaultValues: { email: '' },
  })
  const ask = useMutation({ mutationFn: askReset })

  return (
    <AuthFrame
      title="Lupa password"
      lead="Kami kirim tautan untuk membuat password baru ke alamat email akun Anda."
      other={{ question: 'Sudah ingat?', label: 'Login', path: '/login' }}
    >
      {!sendsMail || ask.isSuccess ? (
        <Outcome good={sendsMail} text={sendsMail ? (ask.data ?? '') : RECOVERY_TEXTS.noMail} />
      ) : (
        <form noValidate onSubmit={handleSubmit((body) => ask.mutate(body))} className="grid gap-4">
          <Field id="email" label="Email" hint={`Pakai alamat ${REQUIRED_EMAIL_DOMAIN}`}>
            <Input type="email" required autoComplete="email" placeholder="nama@gmail.com" {...register('email')} />
          </Field>
          {ask.error && <Outcome good={false} text={serverMessage(ask.error) ?? FAILED} />}
          <RippleButton
            type="submit"
            className="mt-2 w-full"
            busy={ask.isPending}
            disabled={ask.isPending || !formState.isValid}
          >
            {ask.isPending ? 'Mengirim...' : 'Kirim tautan'}
          </RippleButton>
        </form>
      )}
    </AuthFrame>
  )
}
