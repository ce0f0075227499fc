/** The three clocks of Indonesia, each by the zone that schedules are saved with. */
export const OWN_ZONES = [
  { zone: 'Asia/Jakarta', label: 'WIB' },
  { zone: 'Asia/Makassar', label: 'WITA' },
  { zone: 'Asia/Jayapura', label: 'WIT' },
] as const

const LABELS = new Map<string, string>([
  ...OWN_ZONES.map(({ zone, label }) => [zone, label] as const),
  ['Asia/Pontianak', 'WIB'],
  ['Asia/Ujung_Pandang', 'WITA'],
  ['UTC', 'UTC'],
  ['Etc/UTC', 'UTC'],
])

const cityOf = (zone: string): string => (zone.split('/').at(-1) ?? zone).replaceAll('_', ' ')

/** 'WIB', or 'waktu New York' */
export const zoneWords = (zone: string): string => LABELS.get(zone) ?? `waktu ${cityOf(zone)}`

export const isOwnZone = (zone: string): boolean => OWN_ZONES.some((own) => own.zone === zone)

/** Where this browser is. */
export const zoneHere = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone

/** All others that the browser knows, to be searched by city or by name. `zone`: one that it may not list is there all the same. */
export function otherZones(zone: string): { id: string; name: string; detail: string }[] {
  const known = Intl.supportedValuesOf('timeZone').filter((each) => !isOwnZone(each))
  const all = isOwnZone(zone) || known.includes(zone) ? known : [zone, ...known]
  return all.map((id) => ({ id, name: cityOf(id), detail: id }))
}
