import { zodResolver } from '@hookform/resolvers/zod'
import { TurnOffSecondFactorBody } from '@siarin/contracts/second-factor'
import { useQueryClient } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { CodeField } from '../../../components/code-field.tsx'
import { FormDialog } from '../../../components/form-dialog.tsx'
import { PasswordField } from '../../../components/password-field.tsx'
import { notifySuccess } from '../../../lib/notify.ts'
import { useOwnChange } from '../../../lib/use-own-change.ts'
import { secondFactorQuery, turnOffSecondFactor } from '../api/second-factor.ts'

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
