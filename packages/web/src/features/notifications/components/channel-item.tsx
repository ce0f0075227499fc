import type { AlertChannel } from '@siarin/contracts/alerts'
import { Trash2 } from 'lucide-react'
import { Badge } from '../../../components/badge.tsx'
import { Button } from '../../../components/button.tsx'
import { Tooltip } from '../../../components/tooltip.tsx'
import { classes } from '../../../lib/classes.ts'
import { keptChannel } from '../../../lib/own-push.ts'
import { useNow } from '../../../lib/use-now.ts'
import { CHANNEL_STATES, channelTitle, lastNote, stateNote } from '../channel-words.ts'
import { type TestResult, useChannelActions } from '../use-channel-actions.ts'

/** What the other side said, in its own words too: they help a person who has to mend something there. */
function TestWords({ result, testing }: { result: TestResult | null; testing: boolean }) {
  return (
    <div role="status" className="min-w-0 text-xs text-pretty">
      {testing && <p className="text-ink-soft">Mengirim pesan uji coba, menunggu jawaban…</p>}
      {result && (
        <>
          <p className={classes('font-semibold', result.ok ? 'text-accent-ink' : 'text-warn-ink')}>{result.text}</p>
          {result.answer && (
            <p className="mt-0.5 text-ink-soft">
              Jawaban: <span className="font-mono break-words">{result.answer}</span>
            </p>
          )}
        </>
      )}
    </div>
  )
}

/** One connection: its state, what the last message came to, and what can be done with it. */
export function ChannelItem({ channel }: { channel: AlertChannel }) {
  const { id, hint, state } = channel
  const name = channelTitle(channel)
  const actions = useChannelActions(channel)
  const nowMs = useNow()
  const [label, tone] = CHANNEL_STATES[state]
  const note = stateNote(channel)
  const isHere = channel.kind === 'push' && keptChannel() === id
  return (
    <li className="grid gap-2 py-3">
      <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
        <h3 dir="auto" className="min-w-0 truncate text-sm font-semibold">
          {name}
        </h3>
        <Badge tone={tone}>{label}</Badge>
        {isHere && <Badge>Browser ini</Badge>}
      </div>
      {hint !== name && (
        <p dir="auto" className="text-xs break-words text-ink-soft">
          {hint}
        </p>
      )}
      {/* The test below says the same, and just now. */}
      {!actions.result && (
        <>
          {note && <p className="max-w-text text-xs font-medium text-pretty text-warn-ink">{note}</p>}
          <p className="text-xs break-words text-ink-soft">{lastNote(channel, nowMs)}</p>
        </>
      )}
      <TestWords result={actions.result} testing={actions.testing} />
      <div className="flex flex-wrap items-center gap-2">
        {state !== 'gone' && (
          <Button
            look="secondary"
            size="small"
            busy={actions.testing}
            disabled={actions.busy}
            aria-label={`Kirim tes ke ${name}`}
            onClick={actions.test}
          >
            {actions.testing ? 'Mengirim...' : 'Kirim tes'}
          </Button>
        )}
        <Button
          look={state === 'gone' ? 'secondary' : 'quiet'}
          size="small"
          disabled={actions.busy}
          aria-label={`${state === 'on' ? 'Nonaktifkan' : 'Aktifkan'} ${name}`}
          onClick={() => actions.turn(state !== 'on')}
        >
          {state === 'on' ? 'Nonaktifkan' : 'Aktifkan'}
        </Button>
        <span className="ml-auto">
          <Tooltip text="Hapus">
            <Button
              look="quiet"
              size="icon"
              disabled={actions.busy}
              aria-label={`Hapus ${name}`}
              onClick={() => void actions.askRemove()}
            >
              <Trash2 aria-hidden size={18} strokeWidth={1.75} />
            </Button>
          </Tooltip>
        </span>
      </div>
    </li>
  )
}
