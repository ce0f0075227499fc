import { useQuery } from '@tanstack/react-query'
import { systemStatusQuery } from '../api/system-status.ts'

/** Where several machines serve: of how many the figures below tell, and how they tell of them. */
export function MachineCount() {
  const { data: status } = useQuery(systemStatusQuery())
  if (!status?.machines) return null
  const { total, gone } = status.machines
  return (
    <p className="text-sm text-ink-soft tabular-nums">
      {total} mesin
      <span className="hidden sm:inline"> · rata-rata CPU, total memori, disk terpenuh</span>
      {gone > 0 && <span className="font-semibold text-warn-ink"> · {gone} tidak menjawab</span>}
    </p>
  )
}
