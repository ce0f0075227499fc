import { ALERT_KINDS, type AlertKind, isImportantKind } from '@siarin/contracts/alert-kinds'
import { type AlertDetails, type AlertWords, alertWords } from '@siarin/contracts/alert-texts'
import type { Alert } from '@siarin/contracts/alerts'

interface Told {
  readonly kind: string
  readonly details: string
}

/** Another version may have written a kind that this one does not know. */
export const isAlertKind = (kind: string): kind is AlertKind => ALERT_KINDS.some((each) => each === kind)

const detailsOf = ({ details }: Pick<Told, 'details'>): AlertDetails => JSON.parse(details) as AlertDetails

export const wordsOf = (told: Told, zone: string): AlertWords =>
  isAlertKind(told.kind)
    ? alertWords(told.kind, detailsOf(told), zone)
    : { title: detailsOf(told).name ?? told.kind, text: told.kind }

const PATHS: Readonly<Record<string, (subjectId: string | null) => string>> = {
  stream: (id) => (id ? `/fitur/siaran?siaran=${encodeURIComponent(id)}` : '/fitur/siaran'),
  schedule: () => '/fitur/jadwal',
  plan: () => '/profile/plan',
  video: () => '/fitur/live',
  room: () => '/fitur/live',
  channel: () => '/fitur/notifikasi',
}

/** Where on the page there is more to see. */
export const pathOf = (kind: string, subjectId: string | null): string | null =>
  PATHS[kind.split('.')[0] ?? '']?.(subjectId) ?? null

const isOfWebhook = (told: Told): boolean => told.kind === 'channel.gone' && detailsOf(told).channelKind === 'webhook'

export interface AlertRow extends Told {
  readonly id: number
  readonly at: number
  readonly subject_id: string | null
  readonly read_at: number | null
}

export const toAlert = (row: AlertRow & { kind: AlertKind }, zone: string): Alert => ({
  id: String(row.id),
  kind: row.kind,
  important: isImportantKind(row.kind),
  at: new Date(row.at).toISOString(),
  ...wordsOf(row, zone),
  read: row.read_at !== null,
  path: isOfWebhook(row) ? '/fitur/webhook' : pathOf(row.kind, row.subject_id),
  subjectId: row.subject_id,
})
