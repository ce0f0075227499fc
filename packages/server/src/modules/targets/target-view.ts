import type { Platform } from '@siarin/contracts/platforms'
import { targetCheckText } from '@siarin/contracts/target-texts'
import type { Target, TargetCheck, TargetOutcome } from '@siarin/contracts/targets'
import type { StreamReason } from '@siarin/media/parse/exit-reason'
import type { Sealer } from '../../platform/secrets/seal.ts'
import { shownAddress } from './target-parts.ts'
import type { TargetRow } from './targets.repo.ts'

/** What a test came to: 'taken', or why a broadcast would not be on air. */
export type CheckResult = 'taken' | StreamReason

const OUTCOMES: Partial<Record<CheckResult, TargetOutcome>> = {
  taken: 'taken',
  'target-refused': 'refused',
  'target-closed': 'broke-off',
  'target-unreachable': 'unreachable',
  'target-forbidden': 'unreachable',
  'name-not-found': 'unreachable',
  'tls-failed': 'unreachable',
  'timed-out': 'unreachable',
}

const isoOf = (ms: number): string => new Date(ms).toISOString()

export const toCheck = (at: number, result: string): TargetCheck => ({
  at: isoOf(at),
  // A code of another version is one that this version cannot sort.
  outcome: OUTCOMES[result as CheckResult] ?? 'failed',
  message: targetCheckText(result),
})

export const toTarget = (row: TargetRow, sealer: Pick<Sealer, 'open'>): Target => ({
  id: row.id,
  name: row.name,
  platform: row.platform as Platform,
  preset: row.preset,
  address: shownAddress({ address: row.address, key: sealer.open(row.key_sealed) }),
  keyHint: `••••${row.key_hint}`,
  createdAt: isoOf(row.created_at),
  lastUsedAt: row.last_used_at === null ? null : isoOf(row.last_used_at),
  check: row.checked_at === null || row.check_result === null ? null : toCheck(row.checked_at, row.check_result),
})
