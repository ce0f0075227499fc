import type { StorageUse } from '@siarin/contracts/videos'
import { useQuery } from '@tanstack/react-query'
import { Cpu, FolderOpen, HardDrive, type LucideIcon, MemoryStick } from 'lucide-react'
import { Bar } from '../../../components/bar.tsx'
import { Sparkline } from '../../../components/sparkline.tsx'
import { formatPercent, formatShortBytes } from '../../../lib/format.ts'
import { type SystemStatus, systemStatusQuery } from '../api/system-status.ts'
import { UsageTile } from './usage-tile.tsx'

const NEARLY_FULL = 90
/** From here on the machine has little left to give. */
const HIGH = 85
const WHOLE = 100

interface MachineTileProps {
  name: string
  icon: LucideIcon
  /** In percent; undefined: nothing is known yet. */
  usage: number | undefined
  detail: string | undefined
  samples: readonly number[] | undefined
}

function MachineTile({ name, icon, usage, detail, samples = [] }: MachineTileProps) {
  const high = usage !== undefined && usage >= HIGH
  return (
    <UsageTile
      name={name}
      icon={icon}
      figure={usage === undefined ? null : formatPercent(usage)}
      detail={detail}
      high={high}
    >
      <Sparkline samples={samples} top={WHOLE} filled warning={high} className="h-10 w-full" />
    </UsageTile>
  )
}

const shareOf = ({ used, limit }: StorageUse): number => (limit > 0 ? Math.min(WHOLE, (used / limit) * WHOLE) : WHOLE)

/** Over the minutes that are drawn. */
const averageWords = ({ cpu }: NonNullable<SystemStatus['history']>): string =>
  `Rata-rata ${formatPercent(cpu.reduce((sum, usage) => sum + usage, 0) / Math.max(1, cpu.length))}`

/** Only what can be used at all counts, as in the percentage: what the system keeps back is no room. */
const diskWords = ({ used, available, size }: SystemStatus['disk']): string =>
  `${formatShortBytes(used)} / ${formatShortBytes(available === undefined ? size : used + available)}`

/** How the server is, and how much room the person has left. */
export function UsageTiles({ storage }: { storage: StorageUse | null }) {
  const { data: status } = useQuery(systemStatusQuery())
  const history = status?.history
  const share = storage && shareOf(storage)
  return (
    <div className="grid grid-cols-2 gap-3 sm:gap-4 lg:grid-cols-4">
      <MachineTile
        name="CPU usage"
        icon={Cpu}
        usage={status?.cpu.usage}
        detail={history && averageWords(history)}
        samples={history?.cpu}
      />
      <MachineTile
        name="Memory"
        icon={MemoryStick}
        usage={status?.memory.usage}
        detail={status && `${formatShortBytes(status.memory.used)} / ${formatShortBytes(status.memory.total)}`}
        samples={history?.memory}
      />
      <MachineTile
        name="Disk"
        icon={HardDrive}
        usage={status?.disk.usage}
        detail={status && diskWords(status.disk)}
        samples={history?.disk}
      />
      <UsageTile
        name="Penyimpanan Anda"
        icon={FolderOpen}
        figure={share === null ? null : formatPercent(share)}
        high={share !== null && share > NEARLY_FULL}
        detail={storage ? `${formatShortBytes(storage.used)} / ${formatShortBytes(storage.limit)}` : undefined}
      >
        {share !== null && <Bar percent={share} warning={share > NEARLY_FULL} className="h-1.5 w-full" />}
      </UsageTile>
    </div>
  )
}
