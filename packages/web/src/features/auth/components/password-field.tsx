import { Eye, EyeOff } from 'lucide-react'
import { type ComponentProps, useState } from 'react'
import { Field, Input } from '../../../components/field.tsx'
import { RippleButton } from './ripple-button.tsx'

interface PasswordFieldProps extends ComponentProps<'input'> {
  id: string
  hint?: string
}

export function PasswordField({ id, hint, ...input }: PasswordFieldProps) {
  const [shown, setShown] = useState(false)
  const Icon = shown ? EyeOff : Eye
  return (
    <Field id={id} label="Password" hint={hint}>
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
