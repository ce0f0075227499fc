import { zodResolver } from '@hookform/resolvers/zod'
import { DeleteAccountBody } from '@siarin/contracts/auth'
import { useQuery } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { useNavigate } from 'react-router'
import { CodeField } from '../../../components/code-field.tsx'
import { Field, Input } from '../../../components/field.tsx'
import { FormDialog } from '../../../components/form-dialog.tsx'
import { PasswordField } from '../../../components/password-field.tsx'
import { notifySuccess } from '../../../lib/notify.ts'
import { useOwnChange } from '../../../lib/use-own-change.ts'
import { deleteAccount } from '../api/own-account.ts'
import { secondFactorQuery } from '../api/second-factor.ts'
import { CHANGED_MS } from '../changed-ms.ts'

const GOES = [
  'Semua siaran dihentikan sekarang juga.',
  'Semua video, rekaman, dan filenya dihapus dari server.',
  'Akun platform, API key, dan riwayat Anda dihapus.',
  'Sisa masa paket dan credits ikut hilang.',
] as const

export function DeleteAccountDialog({ username, onClose }: { username: string; onClose: () => void }) {
  const navigate = useNavigate()
  const asksCode = useQuery(secondFactorQuery()).data?.enabled ?? false
  const { register, handleSubmit, formState, watch } = useForm({
    resolver: zodResolver(DeleteAccountBody),
    mode: 'onChange',
    defaultValues: { currentPassword: '', confirm: '', ...(asksCode && { code: '' }) },
  })
  const remove = useOwnChange(deleteAccount, (message) => {
    void navigate('/login')
    notifySuccess('Account Deleted', message, CHANGED_MS)
  })
  return (
    <FormDialog
      title="Hapus akun"
      description="Ini tidak bisa dibatalkan."
      submit={{
        label: 'Hapus akun selamanya',
        busyLabel: 'Menghapus...',
        look: 'danger',
        disabled: !formState.isValid || watch('confirm').trim() !== username,
      }}
      busy={remove.busy}
      failure={remove.failure}
      onSubmit={handleSubmit((body) => remove.mutate({ ...body, confirm: body.confirm.trim() }))}
      onClose={onClose}
    >
      <ul className="grid list-disc gap-1 pl-5 text-sm">
        {GOES.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      <p className="text-sm break-words">
        Ketik username Anda, <bdi className="font-bold">{username}</bdi>, untuk memastikan.
      </p>
      <Field id="confirm-username" label="Username Anda">
        <Input required autoComplete="off" autoCapitalize="none" spellCheck={false} {...register('confirm')} />
      </Field>
      <PasswordField id="delete-password" required autoComplete="current-password" {...register('currentPassword')} />
      {asksCode && <CodeField id="delete-code" {...register('code')} />}
    </FormDialog>
  )
}
