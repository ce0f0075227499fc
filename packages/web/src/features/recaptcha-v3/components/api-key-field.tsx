import { Eye, EyeOff } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { CodeInput, Field } from '../../../components/field.tsx'

/** The key of the person who manages videos here; it stays on this page, and is used once it is typed to its end. */
export function ApiKeyField({ known, onKey }: { known: string; onKey: (apiKey: string) => void }) {
  const [typed, setTyped] = useState(known)
  const [shown, setShown] = useState(false)
  const Icon = shown ? EyeOff : Eye
  return (
    <div className="w-full sm:w-100">
      <Field
        id="service-key"
        label="API Key"
        hint="Salin dari halaman Profile. Kunci ini hanya dipakai selama halaman ini terbuka."
      >
        <span className="relative block">
          <CodeInput
            type={shown ? 'text' : 'password'}
            value={typed}
            className="pr-12"
            onChange={(event) => setTyped(event.currentTarget.value)}
            onBlur={() => onKey(typed.trim())}
            onKeyDown={({ key }) => key === 'Enter' && onKey(typed.trim())}
          />
          <Button
            look="quiet"
            size="icon"
            aria-label={shown ? 'Sembunyikan API Key' : 'Tampilkan API Key'}
            className="absolute! top-1/2 right-1 -translate-y-1/2"
            onClick={() => setShown(!shown)}
          >
            <Icon aria-hidden size={20} strokeWidth={1.75} />
          </Button>
        </span>
      </Field>
    </div>
  )
}
