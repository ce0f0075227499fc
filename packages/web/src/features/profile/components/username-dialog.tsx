import { zodResolver } from '@hookform/resolvers/zod'
import { ChangeUsernameBody } from '@siarin/contracts/auth'
import { USERNAME_MIN } from '@siarin/contracts/limits'
import { useQueryClient } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { Field, Input } from '../../../components/field.tsx'
import { FormDialog } from '../../../components/form-dialog.tsx'
import { notifySuccess } from '../../../lib/notify.ts'
import { useOwnChange } from '../../../lib/use-own-change.ts'
import { changeUsername } from '../api/own-account.ts'
import { profileQuery } from '../api/profile.ts'
import { CHANGED_MS } from '../changed-ms.ts'

export function UsernameDialog({ username, onClose }: { username: string; onClose: () => void }) {
  const queryClient = useQueryClient()
  const { register, handleSubmit, formState } = useForm({
    resolver: zodResolver(ChangeUsernameBody),
    mode: 'onChange',
    defaultValues: { username },
  })
  const change = useOwnChange(changeUsername, (message) => {
    void queryClient.invalidateQueries({ queryKey: profileQuery().queryKey })
    notifySuccess('Username Updated', message, CHANGED_MS)
    onClose()
  })
  return (
    <FormDialog
      title="Ganti username"
      description="Login tetap memakai email, jadi tidak ada yang perlu diatur ulang."
      submit={{
        label: 'Ganti username',
        busyLabel: 'Mengganti...',
        disabled: !formState.isValid || !formState.isDirty,
      }}
      busy={change.busy}
      failure={change.failure}
      onSubmit={handleSubmit((body) => change.mutate(body))}
      onClose={onClose}
    >
      <Field
        id="new-username"
        label="Username baru"
        hint={`Minimal ${USERNAME_MIN} karakter`}
        fault={formState.isDirty ? formState.errors.username?.message : null}
      >
        <Input required autoComplete="username" autoCapitalize="none" spellCheck={false} {...register('username')} />
      </Field>
    </FormDialog>
  )
}
