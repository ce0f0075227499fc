import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { Checkbox } from '../../components/checkbox.tsx'
import { FormDialog } from '../../components/form-dialog.tsx'
import { PasswordField } from '../../components/password-field.tsx'
import type { AskedProof } from '../../lib/proof.ts'
import { useOwnChange } from '../../lib/use-own-change.ts'
import { confirmPassword } from './api/auth.ts'

/** What lib/proof asks for. It belongs to the whole app, so that it outlives the screen that asked for it. */
export default function PasswordPrompt({ asked }: { asked: AskedProof }) {
  const [trust, setTrust] = useState(false)
  const { register, handleSubmit, formState } = useForm({ mode: 'onChange', defaultValues: { password: '' } })
  const confirm = useOwnChange(confirmPassword, () => asked.answer(true))
  return (
    <FormDialog
      title="Ketik password Anda"
      description="Perangkat ini belum kami kenal untuk akun Anda, jadi kami pastikan dulu bahwa ini memang Anda."
      submit={{ label: 'Lanjutkan', busyLabel: 'Memeriksa...', disabled: !formState.isValid }}
      busy={confirm.busy}
      failure={confirm.failure}
      onSubmit={handleSubmit(({ password }) => confirm.mutate({ password, trust }))}
      onClose={() => asked.answer(false)}
    >
      <PasswordField
        id="confirm-password"
        required
        autoComplete="current-password"
        {...register('password', { required: true })}
      />
      <Checkbox
        label="Ini perangkat saya sendiri, jangan tanya lagi di sini"
        checked={trust}
        onChange={(event) => setTrust(event.currentTarget.checked)}
      />
    </FormDialog>
  )
}
