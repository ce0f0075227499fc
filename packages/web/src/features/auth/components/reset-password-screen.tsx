import { zodResolver } from '@hookform/resolvers/zod'
import { RECOVERY_TEXTS } from '@siarin/contracts/auth-texts'
import { PASSWORD_MIN } from '@siarin/contracts/limits'
import { ResetPasswordBody } from '@siarin/contracts/recovery'
import { useMutation } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { PasswordField } from '../../../components/password-field.tsx'
import { RippleButton } from '../../../components/ripple-button.tsx'
import { serverMessage } from '../../../lib/http.ts'
import { clearSession } from '../../../lib/session.ts'
import { resetPassword } from '../api/recovery.ts'
import { useLinkToken } from '../use-link-token.ts'
import { AuthFrame } from './auth-frame.tsx'
import { Outcome } from './outcome.tsx'

const FAILED = 'Server belum bisa dihubungi. Periksa koneksi Anda, lalu coba lagi.'

function NewPasswordForm({ token }: { token: string }) {
  const { register, handleSubmit, formState } = useForm({
    resolver: zodResolver(ResetPasswordBody),
    mode: 'onChange',
    defaultValues: { token, newPassword: '' },
  })
  // Every session has ended, that of this browser too.
  const reset = useMutation({ mutationFn: resetPassword, onSuccess: clearSession })
  if (reset.isSuccess) return <Outcome good text={reset.data} />
  return (
    <form noValidate onSubmit={handleSubmit((body) => reset.mutate(body))} className="grid gap-4">
      <PasswordField
        id="new-password"
        label="Password baru"
        hint={`Minimal ${PASSWORD_MIN} karakter`}
        required
        autoComplete="new-password"
        {...register('newPassword')}
      />
      {reset.error && <Outcome good={false} text={serverMessage(reset.error) ?? FAILED} />}
      <RippleButton
        type="submit"
        className="mt-2 w-full"
        busy={reset.isPending}
        disabled={reset.isPending || !formState.isValid}
      >
        {reset.isPending ? 'Menyimpan...' : 'Simpan password baru'}
      </RippleButton>
    </form>
  )
}

export function ResetPasswordScreen() {
  const token = useLinkToken()
  return (
    <AuthFrame
      title="Password baru"
      lead="Setelah disimpan, semua perangkat keluar dan API key Anda ikut diganti. Siaran yang tayang tidak terganggu."
      other={{ question: 'Kembali ke', label: 'Login', path: '/login' }}
    >
      {token ? <NewPasswordForm token={token} /> : <Outcome good={false} text={RECOVERY_TEXTS.linkEnded} />}
    </AuthFrame>
  )
}
