import { COPIED_AFTER_REGENERATE_MS, COPIED_MS } from '@siarin/contracts/limits'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Check, Copy, Eye, EyeOff, RefreshCw } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { Button } from '../../../components/button.tsx'
import { Card, CardHeading } from '../../../components/card.tsx'
import { Input, KeyText } from '../../../components/field.tsx'
import { askConfirmation, showAlert } from '../../../lib/dialogs.ts'
import { SessionEndedError, serverCode, serverMessage } from '../../../lib/http.ts'
import { logError } from '../../../lib/log.ts'
import { notifySuccess } from '../../../lib/notify.ts'
import { proveNow } from '../../../lib/proof.ts'
import { getSession, updateUser } from '../../../lib/session.ts'
import { useCopied } from '../../../lib/use-copied.ts'
import { profileQuery, regenerateApiKey } from '../api/profile.ts'
import { secondFactorQuery } from '../api/second-factor.ts'
import { CodeDialog } from './code-dialog.tsx'

function useRegenerate(askCode: () => void) {
  const queryClient = useQueryClient()
  const { queryKey } = profileQuery()
  return useMutation({
    mutationFn: async (code?: string) => {
      // A profile still on its way would bring the old key back.
      await queryClient.cancelQueries({ queryKey })
      return regenerateApiKey(code)
    },
    onSuccess: ({ apiKey, message }) => {
      const { user } = getSession()
      if (user) updateUser({ ...user, apiKey })
      queryClient.setQueryData(queryKey, (profile) => profile && { ...profile, apiKey, apiKeyHidden: false })
      notifySuccess('API Key Updated', message)
    },
    onError: (error) => {
      if (error instanceof SessionEndedError) return
      // The page did not know yet, or the second factor was turned on elsewhere.
      if (serverCode(error) === 'second_factor_needed') return askCode()
      logError('The API key could not be changed', error)
      void showAlert('Failed to Update API Key', serverMessage(error) ?? 'Unable to update API key. Please try again.')
    },
  })
}

/** Changes the key, after the person said so, and with a code where the account asks for one. */
function useKeyChange() {
  const [asking, setAsking] = useState(false)
  const regenerate = useRegenerate(() => setAsking(true))
  const asksCode = useQuery(secondFactorQuery()).data?.enabled ?? false
  return {
    asking,
    busy: regenerate.isPending,
    changed: regenerate.isSuccess,
    async ask(): Promise<void> {
      const consequence =
        'Kunci lama langsung tidak berlaku: program yang masih memakainya akan ditolak. Siaran yang tayang tidak terganggu.'
      if (!(await askConfirmation('Ganti API key?', consequence, 'Ganti kunci'))) return
      if (asksCode) setAsking(true)
      else regenerate.mutate(undefined)
    },
    changeWith(code: string): void {
      setAsking(false)
      regenerate.mutate(code)
    },
    giveUp: () => setAsking(false),
  }
}

/** Whether the key is to be read, and the way to change that. */
function useShown(hidden: boolean) {
  const queryClient = useQueryClient()
  const [shown, setShown] = useState(false)
  /** False: the person did not prove to be its owner. */
  const unhide = async (): Promise<boolean> => {
    if (!hidden) return true
    if (!(await proveNow())) return false
    await queryClient.refetchQueries({ queryKey: profileQuery().queryKey })
    return true
  }
  const toggle = async (): Promise<void> => {
    if (shown || (await unhide())) setShown(!shown)
  }
  return { shown, toggle }
}

interface KeyFieldProps {
  value: string
  shown: boolean
  onToggle: () => void
}

function KeyField({ value, shown, onToggle }: KeyFieldProps) {
  const named = { 'aria-label': 'API Key', 'aria-describedby': 'api-key-note' }
  const EyeIcon = shown ? EyeOff : Eye
  return (
    <div className="relative min-w-60 flex-1">
      {shown ? (
        <KeyText {...named} value={value} className="block pr-12 text-sm! md:text-xs! md:leading-6!" />
      ) : (
        <Input
          {...named}
          readOnly
          type="password"
          value={value}
          autoComplete="off"
          className="pr-12 font-mono text-sm!"
          onFocus={(event) => event.currentTarget.select()}
        />
      )}
      <Button
        look="quiet"
        aria-label={shown ? 'Sembunyikan API key' : 'Tampilkan API key'}
        aria-pressed={shown}
        className="absolute! top-0 right-0 w-11 border border-transparent bg-clip-padding px-0!"
        onClick={onToggle}
      >
        <EyeIcon aria-hidden size={20} strokeWidth={1.75} />
      </Button>
    </div>
  )
}

function CopyButton({ copied, onCopy }: { copied: boolean; onCopy: () => void }) {
  const Icon = copied ? Check : Copy
  return (
    <Button look="secondary" className="w-28 px-0!" onClick={onCopy}>
      <Icon aria-hidden size={18} strokeWidth={1.75} />
      <span aria-live="polite">{copied ? 'Copied!' : 'Copy'}</span>
    </Button>
  )
}

function RegenerateButton({ busy, onAsk }: { busy: boolean; onAsk: () => void }) {
  return (
    <Button look="secondary" className="mt-4" busy={busy} disabled={busy} onClick={onAsk}>
      {!busy && <RefreshCw aria-hidden size={18} strokeWidth={1.75} />}
      {busy ? 'Regenerating...' : 'Regenerate API Key'}
    </Button>
  )
}

/** Stands where the key is not told to this session yet. */
const MASK = '•'.repeat(46)

export function ApiKeyBox({ apiKey, hidden }: { apiKey: string; hidden: boolean }) {
  const change = useKeyChange()
  const { shown, toggle } = useShown(hidden)
  const [copied, copy] = useCopied(apiKey, change.changed ? COPIED_AFTER_REGENERATE_MS : COPIED_MS)
  return (
    <Card className="p-6">
      <CardHeading
        title="API Key"
        lead={<span id="api-key-note">Kunci ini membuka semua fitur lewat API. Jangan bagikan kepada siapa pun.</span>}
      />
      <div className="mt-4 flex flex-wrap gap-2">
        <KeyField value={hidden ? MASK : apiKey} shown={shown} onToggle={() => void toggle()} />
        <CopyButton copied={copied} onCopy={() => void (hidden ? toggle() : copy())} />
      </div>
      <RegenerateButton busy={change.busy} onAsk={() => void change.ask()} />
      <p className="mt-2 text-xs text-ink-soft">
        {hidden
          ? 'Untuk melihat atau menggantinya di perangkat ini, ketik password Anda.'
          : 'Kunci lama langsung tidak berlaku.'}
      </p>
      <p className="mt-3 text-sm text-ink-soft">
        Program Anda juga bisa dikabari sendiri begitu sesuatu terjadi, lewat{' '}
        <Link to="/fitur/webhook" className="font-semibold text-accent-ink underline underline-offset-4">
          webhook
        </Link>
        .
      </p>
      {change.asking && <CodeDialog onCode={change.changeWith} onClose={change.giveUp} />}
    </Card>
  )
}
