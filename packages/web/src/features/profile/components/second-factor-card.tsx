import type { ProposedSecondFactorAnswer } from '@siarin/contracts/second-factor'
import { useMutation, useQuery } from '@tanstack/react-query'
import { ShieldCheck } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { Badge } from '../../../components/badge.tsx'
import { Button } from '../../../components/button.tsx'
import { Card, CardHeading } from '../../../components/card.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { Loading, Skeleton } from '../../../components/skeleton.tsx'
import { showAlert } from '../../../lib/dialogs.ts'
import { SessionEndedError, serverMessage } from '../../../lib/http.ts'
import { logError } from '../../../lib/log.ts'
import { proposeSecondFactor, secondFactorQuery } from '../api/second-factor.ts'
import { NewCodesDialog } from './new-codes-dialog.tsx'
import { SecondFactorOffDialog } from './second-factor-off-dialog.tsx'

const LOAD_FAILED = 'Verifikasi dua langkah belum bisa dimuat.'
const BEGIN_FAILED = 'Server belum bisa dihubungi. Periksa koneksi Anda, lalu coba lagi.'
/** So few that new ones should be made while the app is still there. */
const FEW_CODES = 3

/** It draws a QR code: that code comes when somebody wants it. */
const SecondFactorSetup = lazy(() => import('./second-factor-setup.tsx'))

function useBegin(onProposed: (proposed: ProposedSecondFactorAnswer['data']) => void) {
  return useMutation({
    mutationFn: proposeSecondFactor,
    onSuccess: onProposed,
    onError: (error) => {
      if (error instanceof SessionEndedError) return
      logError('The second factor could not be begun', error)
      void showAlert('Belum bisa diaktifkan', serverMessage(error) ?? BEGIN_FAILED)
    },
  })
}

function CodesLeft({ left }: { left: number }) {
  const few = left <= FEW_CODES
  return (
    <p className={few ? 'text-sm font-medium text-warn-ink' : 'text-sm text-ink-soft'}>
      Kode pemulihan tersisa {left} dari 10.
      {few && ' Buat sepuluh kode baru selagi aplikasinya masih ada.'}
    </p>
  )
}

/** A code of an app beside the password, for those who want it. */
export function SecondFactorCard() {
  const { data: status, error, refetch } = useQuery(secondFactorQuery())
  const [proposed, setProposed] = useState<ProposedSecondFactorAnswer['data'] | null>(null)
  const [opened, setOpened] = useState<'off' | 'codes' | null>(null)
  const begin = useBegin(setProposed)
  const failure = error instanceof SessionEndedError ? null : error

  return (
    <Card className="p-6">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <CardHeading title="Verifikasi dua langkah" />
        {status?.enabled && <Badge tone="accent">Aktif</Badge>}
      </div>
      {status ? (
        <div className="mt-2 grid gap-4">
          <p className="text-sm text-pretty text-ink-soft">
            {status.enabled
              ? 'Login, API key baru, dan password baru meminta kode dari aplikasi di ponsel Anda.'
              : 'Dengan kode dari aplikasi di ponsel Anda, password yang bocor saja tidak cukup untuk masuk.'}
          </p>
          {status.enabled && <CodesLeft left={status.recoveryCodesLeft} />}
          <div className="flex flex-wrap gap-2">
            {status.enabled ? (
              <>
                <Button look="secondary" size="small" onClick={() => setOpened('codes')}>
                  Buat kode pemulihan baru
                </Button>
                <Button look="danger" size="small" onClick={() => setOpened('off')}>
                  Matikan
                </Button>
              </>
            ) : (
              <Button look="secondary" busy={begin.isPending} disabled={begin.isPending} onClick={() => begin.mutate()}>
                {!begin.isPending && <ShieldCheck aria-hidden size={18} strokeWidth={1.75} />}
                Aktifkan
              </Button>
            )}
          </div>
        </div>
      ) : failure ? (
        <ErrorState text={serverMessage(failure) ?? LOAD_FAILED} onRetry={() => void refetch()} />
      ) : (
        <Loading className="mt-4 grid gap-3">
          <Skeleton className="h-4 w-4/5" />
          <Skeleton className="h-11 w-2/5" />
        </Loading>
      )}
      {proposed && (
        <Suspense>
          <SecondFactorSetup proposed={proposed} onClose={() => setProposed(null)} />
        </Suspense>
      )}
      {opened === 'off' && <SecondFactorOffDialog onClose={() => setOpened(null)} />}
      {opened === 'codes' && <NewCodesDialog onClose={() => setOpened(null)} />}
    </Card>
  )
}
