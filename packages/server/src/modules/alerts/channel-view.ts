import type { AlertChannelKind } from '@siarin/contracts/alert-kinds'
import { ALERT_TEXTS } from '@siarin/contracts/alert-texts'
import type { AlertChannel, AlertChannelState } from '@siarin/contracts/alerts'
import type { ChannelRow } from './deliveries.repo.ts'

/** Without where it goes: only `hint` is ever shown. */
export const toChannel = (row: ChannelRow, waiting: number): AlertChannel => ({
  id: row.id,
  kind: row.kind as AlertChannelKind,
  name: row.name,
  hint: row.hint,
  state: row.state as AlertChannelState,
  stateReason: row.state === 'gone' ? [ALERT_TEXTS.tested.gone, row.last_answer].filter(Boolean).join(' ') : null,
  last:
    row.last_at === null
      ? null
      : { at: new Date(row.last_at).toISOString(), ok: row.last_ok === 1, answer: row.last_answer ?? '' },
  waiting,
  createdAt: new Date(row.created_at).toISOString(),
})
