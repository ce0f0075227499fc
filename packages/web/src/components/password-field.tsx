import { Eye, EyeOff } from 'lucide-react'
import { type ComponentProps, useState } from 'react'
import { Field, Input } from './field.tsx'
import { RippleButton } from './ripple-button.tsx'

interface PasswordFieldProps extends ComponentProps<'input'> {
  id: string
  label?: string
  hint?: string
  fault?: string | null | undefined
}

export function PasswordField({ id, label = 'Password', hint, fault, ...input }: PasswordFieldProps) {
  const [shown, setShown] = useState(false)
  const Icon = shown ? EyeOff : Eye
  return (
    <Field id={id} label={label} hint={hint} fault={fault}>
      <div className="relative">
        <Input
          type={shown ? 'text' : 'password'}
          autoCapitalize="none"
          spellCheck={false}
          className="pr-12"
          {...input}
        />
        <RippleButton
          look="quiet"
          aria-label={shown ? 'Sembunyikan password' : 'Tampilkan password'}
          aria-pressed={shown}
          aria-controls={id}
          className="absolute! top-0 right-0 w-11 px-0!"
          onClick={() => setShown(!shown)}
        >
          <Icon aria-hidden size={20} strokeWidth={1.75} />
        </RippleButton>
      </div>
    </Field>
  )
}
