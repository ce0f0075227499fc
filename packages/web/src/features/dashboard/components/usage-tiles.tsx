import type { StorageUse } from '@siarin/contracts/videos'
import { useQuery } from '@tanstack/react-query'
import { Cpu, FolderOpen, HardDrive, MemoryStick } from 'lucide-react'
import { Bar } from '../../../components/bar.tsx'
import { Sparkline } from '../../../components/sparkline.tsx'
import { formatPercent, formatShortBytes } from '../../../lib/format.ts'
import { type SystemStatus, systemStatusQuery } from '../api/system-status.ts'
import { UsageTile } from './usage-tile.tsx'

const NEARLY_FULL = 90
const WHOLE = 100

const LastMinutes = ({ samples = [] }: { samples?: readonly number[] | undefined }) => (
  <Sparkline samples={samples} top={WHOLE} filled className="h-10 w-full" />
)

const shareOf = ({ used, limit }: StorageUse): number => (limit > 0 ? Math.min(WHOLE, (used / limit) * WHOLE) : WHOLE)

/** Over the minutes that are drawn. */
const averageWords = ({ cpu }: NonNullable<SystemStatus['history']>): string =>
  `Rata-rata ${formatPercent(cpu.reduce((sum, usage) => sum + usage, 0) / Math.max(1, cpu.length))}`

/** How the server is, and how much room the person has left. */
export function UsageTiles({ storage }: { storage: StorageUse | null }) {
  const { data: status } = useQuery(systemStatusQuery())
  const history = status?.history
  const share = storage && shareOf(storage)
  return (
    <div className="grid grid-cols-2 gap-3 sm:gap-4 lg:grid-cols-4">
      <UsageTile
        name="CPU usage"
        icon={Cpu}
        figure={status ? formatPercent(status.cpu.usage) : null}
        detail={history && averageWords(history)}
      >
        <LastMinutes samples={history?.cpu} />
      </UsageTile>
      <UsageTile
        name="Memory"
        icon={MemoryStick}
        figure={status ? formatPercent(status.memory.usage) : null}
        detail={status && `${formatShortBytes(status.memory.used)} / ${formatShortBytes(status.memory.total)}`}
      >
        <LastMinutes samples={history?.memory} />
      </UsageTile>
      <UsageTile
        name="Disk"
        icon={HardDrive}
        figure={status ? formatPercent(status.disk.usage) : null}
        detail={status && `${formatShortBytes(status.disk.used)} / ${formatShortBytes(status.disk.size)}`}
      >
        <LastMinutes samples={history?.disk} />
      </UsageTile>
      <UsageTile
        name="Penyimpanan Anda"
        icon={FolderOpen}
        figure={share === null ? null : formatPercent(share)}
        detail={storage ? `${formatShortBytes(storage.used)} / ${formatShortBytes(storage.limit)}` : undefined}
      >
        {share !== null && <Bar percent={share} warning={share > NEARLY_FULL} className="h-1.5 w-full" />}
      </UsageTile>
    </div>
  )
}
