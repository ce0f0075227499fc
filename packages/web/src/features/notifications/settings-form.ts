import { ALERT_CHANNEL_KINDS, type AlertChannelKind } from '@siarin/contracts/alert-kinds'
import { AlertSettings, type SwitchableKind } from '@siarin/contracts/alerts'
import { isZone } from '@siarin/contracts/schedules/wall-time'

/** Where an alert can go: the list in the app, and the channels. */
export const PLACES = ['app', ...ALERT_CHANNEL_KINDS] as const
export type Place = 'app' | AlertChannelKind

/** As in the fields: numbers are text while they are typed. */
export interface SettingsForm extends Omit<AlertSettings, 'offAirMinutes' | 'restartsPerHour'> {
  readonly offAirMinutes: string
  readonly restartsPerHour: string
}

export type SettingsFaults = Partial<Record<'offAirMinutes' | 'restartsPerHour' | 'quiet' | 'zone', string>>

export const formOf = (settings: AlertSettings): SettingsForm => ({
  ...settings,
  offAirMinutes: String(settings.offAirMinutes),
  restartsPerHour: String(settings.restartsPerHour),
})

export const withSwitch = (form: SettingsForm, kind: SwitchableKind, place: Place, on: boolean): SettingsForm => ({
  ...form,
  kinds: { ...form.kinds, [kind]: { ...form.kinds[kind], [place]: on } },
})

const number = (typed: string): number => (/^\d+$/.test(typed.trim()) ? Number(typed) : Number.NaN)

type Read = { readonly settings: AlertSettings } | { readonly faults: SettingsFaults }

/** What the server would take; or what to change first. */
export function readForm(form: SettingsForm): Read {
  const read = AlertSettings.safeParse({
    ...form,
    offAirMinutes: number(form.offAirMinutes),
    restartsPerHour: number(form.restartsPerHour),
  })
  if (read.success) return { settings: read.data }
  const faults = read.error.issues.map(({ path, message }) => [String(path[0]), message])
  return { faults: Object.fromEntries(faults) }
}

/** Whether there is anything to save. */
export const isChanged = (form: SettingsForm, settings: AlertSettings): boolean =>
  JSON.stringify(form) !== JSON.stringify(formOf(settings))

/** The zone to begin with, where nobody has chosen one: that of the browser. Null: what there is stays. */
export const firstZone = ({ zone, saved }: { zone: string; saved: boolean }, here: string): string | null =>
  saved || here === zone || !isZone(here) ? null : here
