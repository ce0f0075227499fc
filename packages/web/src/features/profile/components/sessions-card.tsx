import type { OwnSession } from '@siarin/contracts/auth'
import { deviceWords } from '@siarin/contracts/device-words'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { MonitorSmartphone } from 'lucide-react'
import { Badge } from '../../../components/badge.tsx'
import { Button } from '../../../components/button.tsx'
import { Card, CardHeading } from '../../../components/card.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { Loading, Skeleton } from '../../../components/skeleton.tsx'
import { askConfirmation, showAlert } from '../../../lib/dialogs.ts'
import { formatMoment } from '../../../lib/format.ts'
import { SessionEndedError, serverMessage } from '../../../lib/http.ts'
import { logError } from '../../../lib/log.ts'
import { notifySuccess } from '../../../lib/notify.ts'
import { endSession, sessionsQuery } from '../api/sessions.ts'

const LOAD_FAILED = 'Daftar perangkat belum bisa dimuat.'
const END_FAILED = 'Perangkat itu belum bisa dikeluarkan. Coba lagi.'

interface SessionRowProps {
  session: OwnSession
  busy: boolean
  onEnd: () => void
}

function SessionRow({ session, busy, onEnd }: SessionRowProps) {
  const device = deviceWords(session.device)
  return (
    <li className="flex items-center gap-3 py-3">
      <MonitorSmartphone aria-hidden size={20} strokeWidth={1.75} className="shrink-0 text-ink-soft" />
      <div className="min-w-0 flex-1">
        <p className="truncate text-sm font-semibold" title={session.device}>
          {device}
        </p>
        <p className="flex flex-wrap gap-x-2 text-xs text-ink-soft tabular-nums">
          <span className="whitespace-nowrap">Aktif {formatMoment(session.lastSeenAt)}</span>
          <span className="min-w-0 truncate">{session.address}</span>
        </p>
      </div>
      {session.current ? (
        <Badge tone="accent">Perangkat ini</Badge>
      ) : (
        <Button look="danger" size="small" aria-label={`Keluarkan ${device}`} disabled={busy} onClick={onEnd}>
          Keluarkan
        </Button>
      )}
    </li>
  )
}

function useEndSession() {
  const queryClient = useQueryClient()
  const reload = () => queryClient.invalidateQueries({ queryKey: sessionsQuery().queryKey })
  return useMutation({
    mutationFn: endSession,
    onSuccess: async () => {
      notifySuccess('Perangkat dikeluarkan')
      await reload()
    },
    onError: (error) => {
      if (error instanceof SessionEndedError) return
      logError('The session could not be ended', error)
      void reload()
      void showAlert('Gagal mengeluarkan perangkat', serverMessage(error) ?? END_FAILED)
    },
  })
}

/** Where the account is open right now; a phone that was lost is shown the door here. */
export function SessionsCard() {
  const { data: sessions, error, refetch } = useQuery(sessionsQuery())
  const end = useEndSession()
  const failure = error instanceof SessionEndedError ? null : error

  const askEnd = async ({ id, device }: OwnSession): Promise<void> => {
    const question = `Keluarkan ${deviceWords(device)}?`
    const consequence = 'Perangkat itu harus login lagi. Siaran yang tayang tidak terganggu.'
    if (await askConfirmation(question, consequence, 'Keluarkan')) end.mutate(id)
  }

  return (
    <Card className="p-6">
      <CardHeading title="Perangkat yang login" />
      {sessions ? (
        <ul aria-label="Perangkat yang login" className="mt-2 divide-y divide-line">
          {sessions.map((session) => (
            <SessionRow
              key={session.id}
              session={session}
              busy={end.isPending && end.variables === session.id}
              onEnd={() => void askEnd(session)}
            />
          ))}
        </ul>
      ) : failure ? (
        <ErrorState text={serverMessage(failure) ?? LOAD_FAILED} onRetry={() => void refetch()} />
      ) : (
        <Loading className="mt-4 grid gap-3">
          <Skeleton className="h-11" />
          <Skeleton className="h-11 w-4/5" />
        </Loading>
      )}
    </Card>
  )
}
