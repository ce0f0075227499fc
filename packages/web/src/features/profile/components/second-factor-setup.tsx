import { zodResolver } from '@hookform/resolvers/zod'
import type { ProposedSecondFactorAnswer } from '@siarin/contracts/second-factor'
import { CodeBody } from '@siarin/contracts/second-factor'
import { useQueryClient } from '@tanstack/react-query'
import { Check, Copy, ExternalLink } from 'lucide-react'
import { Fragment, useState } from 'react'
import { useForm } from 'react-hook-form'
import { renderSVG } from 'uqr'
import { Button } from '../../../components/button.tsx'
import { buttonStyle } from '../../../components/button-styles.ts'
import { CodeField } from '../../../components/code-field.tsx'
import { FormDialog } from '../../../components/form-dialog.tsx'
import { useCopied } from '../../../lib/use-copied.ts'
import { useOwnChange } from '../../../lib/use-own-change.ts'
import { confirmSecondFactor, secondFactorQuery } from '../api/second-factor.ts'
import { sessionsQuery } from '../api/sessions.ts'
import { RecoveryCodesDialog } from './recovery-codes.tsx'

type Proposed = ProposedSecondFactorAnswer['data']

/** Drawn here: nobody else learns the secret. Always dark on white with the rim of the standard, as cameras want it. */
const qrAddress = (uri: string): string =>
  `data:image/svg+xml,${encodeURIComponent(renderSVG(uri, { border: 4, pixelSize: 8 }))}`

/** In groups of four, and in halves that each stay on one line. */
const halvesOf = (secret: string): string[] =>
  secret.match(/.{1,16}/g)?.map((half) => half.match(/.{1,4}/g)?.join(' ') ?? half) ?? []

/** For those who cannot scan: the screen is the phone's own, or there is no camera. */
function TypedKey({ secret, uri }: Proposed) {
  const [copied, copy] = useCopied(secret)
  const CopyIcon = copied ? Check : Copy
  return (
    <div className="grid justify-items-center gap-2 text-center">
      <p className="text-xs text-ink-soft">Tidak bisa memindai? Masukkan kunci ini di aplikasi:</p>
      <code className="font-mono text-sm select-all">
        {halvesOf(secret).map((half, index) => (
          <Fragment key={half}>
            {index > 0 && ' '}
            <span className="inline-block whitespace-nowrap">{half}</span>
          </Fragment>
        ))}
      </code>
      <div className="flex flex-wrap justify-center gap-2">
        <Button look="secondary" size="small" onClick={() => void copy()}>
          <CopyIcon aria-hidden size={16} strokeWidth={1.75} />
          <span aria-live="polite">{copied ? 'Kunci tersalin' : 'Salin kunci'}</span>
        </Button>
        {/* Only where a finger points is the app likely on this very device. */}
        <a href={uri} className={buttonStyle('secondary', 'small', 'hidden! pointer-coarse:inline-flex!')}>
          <ExternalLink aria-hidden size={16} strokeWidth={1.75} />
          Buka di aplikasi
        </a>
      </div>
    </div>
  )
}

export default function SecondFactorSetup({ proposed, onClose }: { proposed: Proposed; onClose: () => void }) {
  const queryClient = useQueryClient()
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const { register, handleSubmit, formState } = useForm({
    resolver: zodResolver(CodeBody),
    mode: 'onChange',
    defaultValues: { code: '' },
  })
  const confirm = useOwnChange(
    async (body: CodeBody) => {
      setCodes(await confirmSecondFactor(body))
      return ''
    },
    () => {
      // The other sessions have ended with it.
      for (const { queryKey } of [secondFactorQuery(), sessionsQuery()])
        void queryClient.invalidateQueries({ queryKey })
    },
  )
  if (codes) return <RecoveryCodesDialog title="Verifikasi dua langkah aktif" codes={codes} onClose={onClose} />
  return (
    <FormDialog
      title="Aktifkan verifikasi dua langkah"
      description="Pindai gambar ini dengan aplikasi autentikator, misalnya Google Authenticator, Microsoft Authenticator, atau Aegis. Begitu aktif, perangkat lain dikeluarkan."
      submit={{ label: 'Aktifkan', busyLabel: 'Memeriksa...', disabled: !formState.isValid }}
      busy={confirm.busy}
      failure={confirm.failure}
      onSubmit={handleSubmit((body) => confirm.mutate(body))}
      onClose={onClose}
    >
      <img
        src={qrAddress(proposed.uri)}
        alt="Kode QR untuk aplikasi autentikator"
        width={208}
        height={208}
        className="mx-auto size-52 rounded-control border border-line bg-white"
      />
      <TypedKey {...proposed} />
      <CodeField
        id="second-factor-code"
        hint="Kode 6 angka yang sekarang tampil di aplikasi."
        inputMode="numeric"
        {...register('code')}
      />
    </FormDialog>
  )
}
