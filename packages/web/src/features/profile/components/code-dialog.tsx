import { zodResolver } from '@hookform/resolvers/zod'
import { CodeBody } from '@siarin/contracts/second-factor'
import { useForm } from 'react-hook-form'
import { CodeField } from '../../../components/code-field.tsx'
import { FormDialog } from '../../../components/form-dialog.tsx'

/** For a change that asks for the second factor and nothing else. */
export function CodeDialog({ onCode, onClose }: { onCode: (code: string) => void; onClose: () => void }) {
  const { register, handleSubmit, formState } = useForm({
    resolver: zodResolver(CodeBody),
    mode: 'onChange',
    defaultValues: { code: '' },
  })
  return (
    <FormDialog
      title="Kode verifikasi"
      description="Buka aplikasi autentikator di ponsel Anda, lalu masukkan kodenya."
      submit={{ label: 'Lanjutkan', busyLabel: '', disabled: !formState.isValid }}
      busy={false}
      failure={null}
      onSubmit={handleSubmit(({ code }) => onCode(code))}
      onClose={onClose}
    >
      <CodeField id="key-code" {...register('code')} />
    </FormDialog>
  )
}
