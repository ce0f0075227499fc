import type { Target } from '@siarin/contracts/targets'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { Link } from 'react-router'
import { Button } from '../../../components/button.tsx'
import { buttonStyle } from '../../../components/button-styles.ts'
import { Dialog } from '../../../components/dialog.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import { FormDialog } from '../../../components/form-dialog.tsx'
import { PlanLink } from '../../../components/plan-link.tsx'
import { featureMessage, isAboutPlan, REQUEST_FAILED } from '../../../lib/feature-calls.ts'
import { SessionEndedError } from '../../../lib/http.ts'
import type { Say } from '../../../lib/message.ts'
import { activeStreamsQuery } from '../api/active-streams.ts'
import { addTargets } from '../api/broadcasts.ts'
import { TickedTargets } from './ticked-targets.tsx'

const TITLE = 'Tambah tujuan'
const HOW = 'Tujuan baru menyusul siaran yang berjalan. Yang sudah tayang tidak terputus.'

/** A broadcast with one more target is drawn anew: the focus finds its button by this. */
const buttonIdOf = (broadcastId: string): string => `add-target-${broadcastId}`

interface AddTargetButtonProps {
  broadcastId: string | undefined
  onClick: () => void
}

export function AddTargetButton({ broadcastId, onClick }: AddTargetButtonProps) {
  if (!broadcastId) return null
  return (
    <Button id={buttonIdOf(broadcastId)} look="secondary" size="small" className="z-1" onClick={onClick}>
      <Plus aria-hidden size={16} strokeWidth={1.75} />
      {TITLE}
    </Button>
  )
}

interface AddTargetDialogProps {
  broadcastId: string
  /** The stored ones that this broadcast does not go to yet. */
  targets: readonly Target[]
  onClose: () => void
  say: Say
}

/** Stored targets for a broadcast that is on air already. */
export function AddTargetDialog({ broadcastId, targets, onClose, say }: AddTargetDialogProps) {
  const queryClient = useQueryClient()
  const [ticked, setTicked] = useState<readonly string[]>([])
  const add = useMutation({
    mutationFn: () =>
      addTargets(
        broadcastId,
        ticked.map((targetId) => ({ targetId })),
      ),
    onSuccess: async (message) => {
      onClose()
      say(message)
      await queryClient.invalidateQueries({ queryKey: activeStreamsQuery().queryKey })
      requestAnimationFrame(() => document.getElementById(buttonIdOf(broadcastId))?.focus())
    },
  })
  const refusal = add.error instanceof SessionEndedError ? null : add.error

  if (targets.length === 0 && !add.isPending) {
    return (
      <Dialog open onOpenChange={(open) => open || onClose()} title={TITLE} description={HOW}>
        <EmptyState
          text="Semua tujuan tersimpan sudah dipakai siaran ini."
          action={
            <Link to="/fitur/target" className={buttonStyle('secondary', 'small')}>
              Simpan tujuan lain
            </Link>
          }
        />
      </Dialog>
    )
  }
  return (
    <FormDialog
      title={TITLE}
      description={HOW}
      submit={{ label: 'Tambahkan', busyLabel: 'Menambahkan...', disabled: ticked.length === 0 }}
      busy={add.isPending}
      failure={refusal && featureMessage(refusal, REQUEST_FAILED)}
      onSubmit={(event: FormEvent) => {
        event.preventDefault()
        add.mutate()
      }}
      onClose={onClose}
    >
      <fieldset className="min-w-0">
        <legend className="mb-1.5 text-sm font-semibold">Tujuan tersimpan</legend>
        <TickedTargets targets={targets} ticked={ticked} onChange={setTicked} />
      </fieldset>
      {isAboutPlan(refusal) && (
        <p>
          <PlanLink look="secondary" size="small" />
        </p>
      )}
    </FormDialog>
  )
}
