import type { AccountKind } from '@siarin/contracts/accounts'
import { ACCOUNT_TEXTS } from '@siarin/contracts/texts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Trash2, UserPlus } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { Badge } from '../../../components/badge.tsx'
import { Button } from '../../../components/button.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { Loading, Skeleton } from '../../../components/skeleton.tsx'
import { Tooltip } from '../../../components/tooltip.tsx'
import { askConfirmation } from '../../../lib/dialogs.ts'
import { featureMessage } from '../../../lib/feature-calls.ts'
import { firstLetter } from '../../../lib/first-letter.ts'
import { formatNumber } from '../../../lib/format.ts'
import { SessionEndedError } from '../../../lib/http.ts'
import { foundTone, type Say } from '../../../lib/message.ts'
import { KIND_FACTS } from '../account-kinds.ts'
import { ACCOUNT_LIST_KEYS, type AccountList as Accounts, accountsQuery, removeAccount } from '../api/accounts.ts'
import type { PlatformAccount } from '../platform-account.ts'

const SKELETON_ROWS = ['one', 'two', 'three'] as const

interface AccountRowProps {
  account: PlatformAccount
  busy: boolean
  onRemove: () => void
}

function AccountRow({ account, busy, onRemove }: AccountRowProps) {
  return (
    <li className="flex items-center gap-4 px-6 py-3">
      <span
        aria-hidden
        className="grid size-10 shrink-0 place-items-center rounded-full bg-raised text-sm font-bold text-ink-soft"
      >
        {firstLetter(account.name)}
      </span>
      <span className="grid min-w-0 flex-1">
        <span dir="auto" className="truncate text-left text-sm font-semibold">
          {account.name}
        </span>
        <span className="truncate font-mono text-xs text-ink-soft">{account.auth}</span>
      </span>
      <Tooltip text="Hapus">
        <Button look="quiet" size="icon" aria-label={`Hapus ${account.name}`} disabled={busy} onClick={onRemove}>
          <Trash2 aria-hidden size={18} strokeWidth={1.75} />
        </Button>
      </Tooltip>
    </li>
  )
}

function useRemove(say: Say) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: removeAccount,
    onSuccess: async (message) => {
      await Promise.all(ACCOUNT_LIST_KEYS.map((queryKey) => queryClient.invalidateQueries({ queryKey })))
      say(message)
    },
    onError: (error) => {
      if (!(error instanceof SessionEndedError)) say(featureMessage(error, ACCOUNT_TEXTS.removeFailed), 'error')
    },
  })
}

/** Says what was found when the list is opened; later reloads are silent. */
function useTellFound(data: Accounts | undefined, fetched: boolean, say: Say): void {
  const told = useRef(false)
  useEffect(() => {
    if (!data?.message || !fetched || told.current) return
    told.current = true
    say(data.message, foundTone(data.accounts))
  }, [data, fetched, say])
}

interface AccountListProps {
  kind: AccountKind
  say: Say
  onAdd: () => void
}

export function AccountList({ kind, say, onAdd }: AccountListProps) {
  const { data, error, refetch, isFetchedAfterMount } = useQuery(accountsQuery(kind))
  const remove = useRemove(say)
  const failure =
    error && !(error instanceof SessionEndedError) ? featureMessage(error, ACCOUNT_TEXTS.listFailed) : null
  useTellFound(data, isFetchedAfterMount, say)
  useEffect(() => {
    if (failure) say(failure, 'error')
  }, [failure, say])

  const askRemove = async (account: PlatformAccount): Promise<void> => {
    const consequence = `"${account.name}" dihapus dari daftar Anda. Akunnya di ${KIND_FACTS[kind].label} tidak berubah.`
    if (await askConfirmation('Are you sure you want to delete this account?', consequence, 'Hapus')) {
      remove.mutate(account)
    }
  }

  if (!data && failure) return <ErrorState text={failure} onRetry={() => void refetch()} />
  if (!data) {
    return (
      <Loading className="grid gap-2 p-6">
        {SKELETON_ROWS.map((row) => (
          <Skeleton key={row} className="h-14" />
        ))}
      </Loading>
    )
  }
  return (
    <>
      <div className="flex items-center justify-between gap-4 border-b border-line px-6 py-3">
        <h2 className="text-sm font-bold">Akun {KIND_FACTS[kind].label}</h2>
        <Badge>{formatNumber(data.accounts.length)} akun</Badge>
      </div>
      {data.accounts.length === 0 ? (
        <EmptyState
          icon={UserPlus}
          text="No accounts found. Add one to get started."
          action={
            <Button look="secondary" onClick={onAdd}>
              Add Account
            </Button>
          }
        />
      ) : (
        <ul
          aria-label={`Akun ${KIND_FACTS[kind].label}`}
          className="max-h-[400px] divide-y divide-line overflow-y-auto"
        >
          {data.accounts.map((account) => (
            <AccountRow
              key={account.account_id}
              account={account}
              busy={remove.isPending && remove.variables.account_id === account.account_id}
              onRemove={() => void askRemove(account)}
            />
          ))}
        </ul>
      )}
    </>
  )
}
