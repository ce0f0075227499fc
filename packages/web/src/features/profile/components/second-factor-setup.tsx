import { zodResolver } from '@hookform/resolvers/zod'
import type { ProposedSecondFactorAnswer } from '@siarin/contracts/second-factor'
import { CodeBody } from '@siarin/contracts/second-factor'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { renderSVG } from 'uqr'
import { Dialog } from '../../../components/dialog.tsx'
import { askConfirmation } from '../../../lib/dialogs.ts'
import { CodeField } from '../../auth/components/code-field.tsx'
import { confirmSecondFactor, secondFactorQuery } from '../api/second-factor.ts'
import { useOwnChange } from '../use-own-change.ts'
import { FormDialog } from './form-dialog.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'

type Proposed = ProposedSecondFactorAnswer['data']

/** Drawn here: nobody else learns the secret. Always dark on white, as cameras want it. */
const qrAddress = (uri: string): string =>
  `data:image/svg+xml,${encodeURIComponent(renderSVG(uri, { border: 2, pixelSize: 8 }))}`

const inGroups = (secret: string): string => secret.match(/.{1,4}/g)?.join(' ') ?? secret

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
    () => void queryClient.invalidateQueries({ queryKey: secondFactorQuery().queryKey }),
  )
  /** A slip outside of the dialog must not take them away. */
  const askToClose = async (): Promise<void> => {
    const consequence =
      'Kode pemulihan tidak ditampilkan lagi. Tanpa kode itu, ponsel yang hilang berarti menunggu administrator.'
    if (await askConfirmation('Tutup tanpa menyimpan kode?', consequence, 'Tutup', 'Kembali')) onClose()
  }
  if (codes) {
    return (
      <Dialog open onOpenChange={(open) => open || void askToClose()} title="Verifikasi dua langkah aktif">
        <RecoveryCodes codes={codes} onDone={onClose} />
      </Dialog>
    )
  }
  return (
    <FormDialog
      title="Aktifkan verifikasi dua langkah"
      description="Pindai gambar ini dengan aplikasi autentikator, misalnya Google Authenticator, Microsoft Authenticator, atau Aegis."
      submit={{ label: 'Aktifkan', busyLabel: 'Memeriksa...', disabled: !formState.isValid }}
      busy={confirm.busy}
      failure={confirm.failure}
      onSubmit={handleSubmit((body) => confirm.mutate(body))}
      onClose={onClose}
    >
      <img
        src={qrAddress(proposed.uri)}
        alt="Kode QR untuk aplikasi autentikator"
        width={192}
        height={192}
        className="mx-auto size-48 rounded-control border border-line bg-white"
      />
      <p className="text-center text-xs text-ink-soft">
        Tidak bisa memindai? Ketik kunci ini di aplikasi:
        <br />
        <code className="font-mono text-sm text-ink select-all">{inGroups(proposed.secret)}</code>
      </p>
      <CodeField
        id="second-factor-code"
        hint="Kode 6 angka yang sekarang tampil di aplikasi."
        inputMode="numeric"
        {...register('code')}
      />
    </FormDialog>
  )
}
