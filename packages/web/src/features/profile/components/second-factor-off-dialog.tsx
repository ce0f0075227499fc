import { zodResolver } from '@hookform/resolvers/zod'
import { TurnOffSecondFactorBody } from '@siarin/contracts/second-factor'
import { useQueryClient } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { notifySuccess } from '../../../lib/notify.ts'
import { CodeField } from '../../auth/components/code-field.tsx'
import { PasswordField } from '../../auth/components/password-field.tsx'
import { secondFactorQuery, turnOffSecondFactor } from '../api/second-factor.ts'
import { useOwnChange } from '../use-own-change.ts'
import { FormDialog } from './form-dialog.tsx'

export function SecondFactorOffDialog({ onClose }: { onClose: () => void }) {
  const queryClient = useQueryClient()
  const { register, handleSubmit, formState } = useForm({
    resolver: zodResolver(TurnOffSecondFactorBody),
    mode: 'onChange',
    defaultValues: { password: '', code: '' },
  })
  const off = useOwnChange(turnOffSecondFactor, (message) => {
    void queryClient.invalidateQueries({ queryKey: secondFactorQuery().queryKey })
    notifySuccess(message)
    onClose()
  })
  return (
    <FormDialog
      title="Matikan verifikasi dua langkah?"
      description="Setelah ini, password saja sudah cukup untuk masuk ke akun Anda."
      submit={{ label: 'Matikan', busyLabel: 'Mematikan...', look: 'danger', disabled: !formState.isValid }}
      busy={off.busy}
      failure={off.failure}
      onSubmit={handleSubmit((body) => off.mutate(body))}
      onClose={onClose}
    >
      <PasswordField id="off-password" required autoComplete="current-password" {...register('password')} />
      <CodeField id="off-code" {...register('code')} />
    </FormDialog>
  )
}
