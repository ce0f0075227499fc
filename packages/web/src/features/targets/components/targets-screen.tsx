import { TARGETS_MAX } from '@siarin/contracts/limits'
import type { Target } from '@siarin/contracts/targets'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Plus, Send } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { Card } from '../../../components/card.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import { Page } from '../../../components/page.tsx'
import { QueryRows } from '../../../components/query-rows.tsx'
import { askConfirmation } from '../../../lib/dialogs.ts'
import { featureMessage, REQUEST_FAILED } from '../../../lib/feature-calls.ts'
import { SessionEndedError } from '../../../lib/http.ts'
import { notifySuccess, notifyWarning } from '../../../lib/notify.ts'
import { AccessStopped } from '../../standing/access-stopped.tsx'
import { useStopped } from '../../standing/api/standing.ts'
import { removeTarget, targetsQuery, testTarget } from '../api/targets.ts'
import { TargetDialog } from './target-dialog.tsx'
import { TargetRow } from './target-row.tsx'

const TITLE = 'Tujuan siaran'
const LEAD = 'Simpan stream key sekali, uji sambungannya, lalu pakai lagi untuk setiap siaran.'

const tellFailure = (error: unknown): void => {
  if (!(error instanceof SessionEndedError)) notifyWarning(featureMessage(error, REQUEST_FAILED))
}

/** Tests and deletes; what a test came to stands in the row. */
function useTargetActions() {
  const queryClient = useQueryClient()
  const reload = () => queryClient.invalidateQueries({ queryKey: targetsQuery().queryKey })
  const test = useMutation({ mutationFn: testTarget, onSettled: reload, onError: tellFailure })
  const remove = useMutation({
    mutationFn: removeTarget,
    onSuccess: async (message) => {
      await reload()
      notifySuccess(message)
    },
    onError: tellFailure,
  })
  return {
    test: test.mutate,
    testingId: test.isPending ? test.variables : null,
    removingId: remove.isPending ? remove.variables : null,
    async askRemove({ id, name }: Target): Promise<void> {
      const consequence = `"${name}" dihapus beserta stream key-nya. Siaran yang sedang berjalan ke sana tetap tayang.`
      if (await askConfirmation('Hapus tujuan ini?', consequence, 'Hapus')) remove.mutate(id)
    },
  }
}

const NoTargets = ({ onAdd }: { onAdd: () => void }) => (
  <EmptyState
    icon={Send}
    text="Belum ada tujuan. Simpan YouTube, Facebook, TikTok, atau alamat RTMP Anda di sini."
    action={
      <Button look="secondary" onClick={onAdd}>
        Tambah tujuan pertama
      </Button>
    }
  />
)

function TargetList({ onAdd, onEdit }: { onAdd: () => void; onEdit: (target: Target) => void }) {
  const { test, testingId, removingId, askRemove } = useTargetActions()
  return (
    <QueryRows query={useQuery(targetsQuery())} rowHeight="h-16" empty={<NoTargets onAdd={onAdd} />}>
      {(targets) => (
        <ul aria-label={TITLE} className="divide-y divide-line">
          {targets.map((target) => (
            <TargetRow
              key={target.id}
              target={target}
              testing={testingId === target.id}
              busy={testingId !== null || removingId === target.id}
              onTest={() => test(target.id)}
              onEdit={() => onEdit(target)}
              onRemove={() => void askRemove(target)}
            />
          ))}
        </ul>
      )}
    </QueryRows>
  )
}

/** Nothing, a new one, or the one that is changed. */
type Shown = { readonly target: Target | null } | null

function Targets() {
  const [shown, setShown] = useState<Shown>(null)
  const { data } = useQuery(targetsQuery())
  const isFull = (data?.length ?? 0) >= TARGETS_MAX
  return (
    <Page
      title={TITLE}
      lead={LEAD}
      action={
        <Button disabled={isFull} onClick={() => setShown({ target: null })}>
          <Plus aria-hidden size={18} strokeWidth={1.75} />
          Tambah tujuan
        </Button>
      }
    >
      <Card className="min-w-0 overflow-clip">
        <TargetList onAdd={() => setShown({ target: null })} onEdit={(target) => setShown({ target })} />
      </Card>
      {shown && <TargetDialog target={shown.target} onClose={() => setShown(null)} />}
    </Page>
  )
}

export function TargetsScreen() {
  const stopped = useStopped()
  if (!stopped) return <Targets />
  return (
    <Page title={TITLE} lead={LEAD}>
      <AccessStopped standing={stopped} />
    </Page>
  )
}
