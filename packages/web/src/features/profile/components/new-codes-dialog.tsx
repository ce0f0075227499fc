import { zodResolver } from '@hookform/resolvers/zod'
import { NewRecoveryCodesBody } from '@siarin/contracts/second-factor'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { CodeField } from '../../../components/code-field.tsx'
import { FormDialog } from '../../../components/form-dialog.tsx'
import { PasswordField } from '../../../components/password-field.tsx'
import { useOwnChange } from '../../../lib/use-own-change.ts'
import { renewRecoveryCodes, secondFactorQuery } from '../api/second-factor.ts'
import { RecoveryCodesDialog } from './recovery-codes.tsx'

export function NewCodesDialog({ onClose }: { onClose: () => void }) {
  const queryClient = useQueryClient()
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const { register, handleSubmit, formState } = useForm({
    resolver: zodResolver(NewRecoveryCodesBody),
    mode: 'onChange',
    defaultValues: { password: '', code: '' },
  })
  const renew = useOwnChange(
    async (body: NewRecoveryCodesBody) => {
      setCodes(await renewRecoveryCodes(body))
      return ''
    },
    () => void queryClient.invalidateQueries({ queryKey: secondFactorQuery().queryKey }),
  )
  if (codes) return <RecoveryCodesDialog title="Kode pemulihan baru" codes={codes} onClose={onClose} />
  return (
    <FormDialog
      title="Buat kode pemulihan baru"
      description="Anda mendapat sepuluh kode baru, dan kode yang lama tidak berlaku lagi. Aplikasi di ponsel Anda tetap sama."
      submit={{ label: 'Buat kode baru', busyLabel: 'Membuat...', disabled: !formState.isValid }}
      busy={renew.busy}
      failure={renew.failure}
      onSubmit={handleSubmit((body) => renew.mutate(body))}
      onClose={onClose}
    >
      <PasswordField id="codes-password" required autoComplete="current-password" {...register('password')} />
      <CodeField id="codes-code" {...register('code')} />
    </FormDialog>
  )
}
