import { zodResolver } from '@hookform/resolvers/zod'
import { ChangePasswordBody } from '@siarin/contracts/auth'
import { PASSWORD_MIN } from '@siarin/contracts/limits'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { CodeField } from '../../../components/code-field.tsx'
import { FormDialog } from '../../../components/form-dialog.tsx'
import { PasswordField } from '../../../components/password-field.tsx'
import { getSession } from '../../../lib/session.ts'
import { useOwnChange } from '../../../lib/use-own-change.ts'
import { changePassword } from '../api/own-account.ts'
import { profileQuery } from '../api/profile.ts'
import { secondFactorQuery } from '../api/second-factor.ts'
import { sessionsQuery } from '../api/sessions.ts'
import { NewKeyDialog } from './new-key-dialog.tsx'

export function PasswordDialog({ onClose }: { onClose: () => void }) {
  const queryClient = useQueryClient()
  const asksCode = useQuery(secondFactorQuery()).data?.enabled ?? false
  const [newKey, setNewKey] = useState<string | null>(null)
  const { register, handleSubmit, formState } = useForm({
    resolver: zodResolver(ChangePasswordBody),
    mode: 'onChange',
    defaultValues: { currentPassword: '', newPassword: '', ...(asksCode && { code: '' }) },
  })
  const change = useOwnChange(changePassword, () => {
    for (const { queryKey } of [sessionsQuery(), profileQuery()]) void queryClient.invalidateQueries({ queryKey })
    // The dialog with the new key tells it: a toast beside it would say the same twice.
    setNewKey(getSession().user?.apiKey ?? '')
  })
  if (newKey !== null) return <NewKeyDialog apiKey={newKey} onClose={onClose} />
  return (
    <FormDialog
      title="Ganti password"
      description="Perangkat lain harus login lagi, dan API key Anda ikut diganti: program yang memakainya perlu kunci baru. Siaran yang tayang tidak terganggu."
      submit={{ label: 'Ganti password', busyLabel: 'Mengganti...', disabled: !formState.isValid }}
      busy={change.busy}
      failure={change.failure}
      onSubmit={handleSubmit((body) => change.mutate(body))}
      onClose={onClose}
    >
      <PasswordField
        id="current-password"
        label="Password sekarang"
        required
        autoComplete="current-password"
        {...register('currentPassword')}
      />
      <PasswordField
        id="new-password"
        label="Password baru"
        hint={`Minimal ${PASSWORD_MIN} karakter`}
        required
        autoComplete="new-password"
        {...register('newPassword')}
      />
      {asksCode && <CodeField id="password-code" {...register('code')} />}
    </FormDialog>
  )
}
