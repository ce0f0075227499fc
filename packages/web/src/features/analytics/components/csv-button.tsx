import type { CsvKind } from '@siarin/contracts/analytics'
import { ChevronDown, Download } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { Button } from '../../../components/button.tsx'
import { buttonStyle } from '../../../components/button-styles.ts'
import { notifyPlanLimit } from '../../../lib/notify.ts'
import type { KnownStanding } from '../../standing/api/standing.ts'
import { extraRefusal } from '../access.ts'
import { csvAddress } from '../api/analytics.ts'
import type { DayRange } from '../range.ts'

const FILES: readonly { kind: CsvKind; label: string }[] = [
  { kind: 'days', label: 'Jam tayang per hari' },
  { kind: 'broadcasts', label: 'Siaran' },
  { kind: 'incidents', label: 'Gangguan' },
]

const LABEL = 'Unduh CSV'

interface CsvButtonProps {
  range: DayRange
  standing: KnownStanding | undefined
  disabled: boolean
}

/** The browser saves the file by itself: however long it is, the page does not hold it. */
async function save(kind: CsvKind, range: DayRange): Promise<void> {
  const link = document.createElement('a')
  link.href = await csvAddress(kind, range)
  link.download = ''
  link.click()
}

export function CsvButton({ range, standing, disabled }: CsvButtonProps) {
  const refusal = extraRefusal(standing, 'csv')
  if (refusal !== null) {
    return (
      <Button look="secondary" onClick={() => notifyPlanLimit(refusal)}>
        <Download aria-hidden size={18} strokeWidth={1.75} />
        {LABEL}
      </Button>
    )
  }
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger disabled={disabled} className={buttonStyle('secondary')}>
        <Download aria-hidden size={18} strokeWidth={1.75} />
        {LABEL}
        <ChevronDown aria-hidden size={16} strokeWidth={1.75} />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align="end"
          sideOffset={8}
          collisionPadding={8}
          className="z-40 min-w-48 animate-appear rounded-[12px] border border-line bg-card p-1.5 shadow-soft"
        >
          {FILES.map(({ kind, label }) => (
            <DropdownMenu.Item
              key={kind}
              className="flex h-10 cursor-pointer items-center rounded-[8px] px-3 text-sm outline-none data-highlighted:bg-raised pointer-coarse:h-11"
              onSelect={() => void save(kind, range)}
            >
              {label}
            </DropdownMenu.Item>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}
