import type { ComponentProps } from 'react'
import { CodeInput, Field } from './field.tsx'

interface CodeFieldProps extends ComponentProps<'input'> {
  id: string
  hint?: string
}

/** A code of the authenticator app. Phones offer the one that they have just seen. */
export function CodeField({
  id,
  hint = 'Kode 6 angka dari aplikasi, atau salah satu kode pemulihan.',
  ...input
}: CodeFieldProps) {
  return (
    <Field id={id} label="Kode verifikasi" hint={hint}>
      <CodeInput
        required
        autoComplete="one-time-code"
        inputMode="text"
        maxLength={20}
        className="tracking-[0.2em]"
        {...input}
      />
    </Field>
  )
}
