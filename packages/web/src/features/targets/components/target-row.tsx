import { PLATFORM_FACTS } from '@siarin/contracts/platforms'
import type { Target, TargetCheck, TargetOutcome } from '@siarin/contracts/targets'
import { Pencil, Trash2 } from 'lucide-react'
import { Badge, type BadgeTone } from '../../../components/badge.tsx'
import { Button } from '../../../components/button.tsx'
import { PlatformMark } from '../../../components/platform-mark.tsx'
import { Tooltip } from '../../../components/tooltip.tsx'
import { formatMoment } from '../../../lib/format.ts'

const OUTCOMES: Record<TargetOutcome, readonly [label: string, tone: BadgeTone]> = {
  taken: ['Diterima', 'accent'],
  refused: ['Ditolak', 'warn'],
  unreachable: ['Tak terhubung', 'warn'],
  'broke-off': ['Terputus', 'warn'],
  failed: ['Gagal diuji', 'warn'],
}

/** Red is on air and nothing else: a test that failed is amber. */
function CheckBadge({ check }: { check: TargetCheck | null }) {
  if (!check) return <Badge>Belum diuji</Badge>
  const [label, tone] = OUTCOMES[check.outcome]
  return <Badge tone={tone}>{label}</Badge>
}

/** What the platform answered, where that is worth a sentence. */
function CheckWords({ check, testing }: { check: TargetCheck | null; testing: boolean }) {
  return (
    <p role="status" className="max-w-text text-xs text-pretty text-ink-soft">
      {testing
        ? 'Mengirim gambar uji beberapa detik, lalu berhenti sendiri…'
        : check && (
            <>
              {check.message} <span className="whitespace-nowrap tabular-nums">{formatMoment(check.at)}</span>
            </>
          )}
    </p>
  )
}

interface TargetRowProps {
  target: Target
  testing: boolean
  /** Another one is being tested, or this one deleted. */
  busy: boolean
  onTest: () => void
  onEdit: () => void
  onRemove: () => void
}

export function TargetRow({ target, testing, busy, onTest, onEdit, onRemove }: TargetRowProps) {
  const { name, platform, address, keyHint, check } = target
  return (
    <li className="grid gap-3 px-4 py-4 sm:grid-cols-[1fr_auto] sm:items-start sm:gap-6 sm:px-6">
      <div className="flex min-w-0 gap-4">
        <span className="grid size-10 shrink-0 place-items-center rounded-full bg-raised text-ink-soft">
          <PlatformMark platform={platform} className="size-5" />
        </span>
        <div className="grid min-w-0 flex-1 gap-1">
          <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
            <h2 dir="auto" className="min-w-0 truncate text-sm font-semibold">
              {name}
            </h2>
            <CheckBadge check={testing ? null : check} />
          </div>
          <p className="flex min-w-0 flex-wrap gap-x-2 text-xs text-ink-soft">
            <span className="font-semibold">{PLATFORM_FACTS[platform].label}</span>
            {address && <span className="min-w-0 font-mono break-all">{address}</span>}
            <span className="font-mono whitespace-nowrap">{keyHint}</span>
          </p>
          <CheckWords check={check} testing={testing} />
        </div>
      </div>
      <div className="flex items-center justify-end gap-1">
        <Button
          look="secondary"
          size="small"
          busy={testing}
          disabled={busy || testing}
          aria-label={`Uji ${name}`}
          onClick={onTest}
        >
          {testing ? 'Menguji...' : 'Uji'}
        </Button>
        <Tooltip text="Ubah">
          <Button look="quiet" size="icon" aria-label={`Ubah ${name}`} disabled={testing} onClick={onEdit}>
            <Pencil aria-hidden size={18} strokeWidth={1.75} />
          </Button>
        </Tooltip>
        <Tooltip text="Hapus">
          <Button look="quiet" size="icon" aria-label={`Hapus ${name}`} disabled={busy || testing} onClick={onRemove}>
            <Trash2 aria-hidden size={18} strokeWidth={1.75} />
          </Button>
        </Tooltip>
      </div>
    </li>
  )
}
