import { DEFAULT_ZONE } from '@siarin/contracts/schedules/schedule-rule'
import { useMemo, useState } from 'react'
import { Combobox } from '../../../components/combobox.tsx'
import { Segmented } from '../../../components/segmented.tsx'
import { isOwnZone, OWN_ZONES, otherZones } from '../zones.ts'

const OTHER = 'other'
const CHOICES = [
  ...OWN_ZONES.map(({ zone, label }) => ({ value: zone as string, label: label as string })),
  { value: OTHER, label: 'Lainnya' },
]

/** The three clocks of Indonesia at hand, and any other by search. */
export function ZoneField({ zone, onChange }: { zone: string; onChange: (zone: string) => void }) {
  const [searches, setSearches] = useState(!isOwnZone(zone))
  const options = useMemo(() => (searches ? otherZones(zone) : []), [searches, zone])
  return (
    <div className="grid gap-2">
      <Segmented
        legend="Zona waktu"
        options={CHOICES}
        value={searches ? OTHER : zone}
        onChange={(chosen) => {
          setSearches(chosen === OTHER)
          if (chosen !== OTHER) onChange(chosen)
        }}
      />
      {searches && (
        <Combobox
          id="schedule-zone"
          label="Kota atau zona"
          placeholder="Cari Singapore, Tokyo, London…"
          nothingFound="Tidak ada yang cocok. Coba nama kota besar di dekatnya."
          options={options}
          value={isOwnZone(zone) ? '' : zone}
          // Nothing chosen is the clock that counts for everybody else here.
          onPick={(id) => onChange(id || DEFAULT_ZONE)}
        />
      )}
    </div>
  )
}
