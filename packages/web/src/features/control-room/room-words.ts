import { FeatureError, featureMessage, REQUEST_FAILED } from '../../lib/feature-calls.ts'
import { SessionEndedError } from '../../lib/http.ts'
import type { RoomRow } from './room-row.ts'

const NAMED = 3

/** '“Malam”, “Pagi” dan 3 lainnya' */
export function namesOf(rows: readonly Pick<RoomRow, 'name'>[]): string {
  const named = rows.slice(0, NAMED).map(({ name }) => `“${name}”`)
  const more = rows.length - named.length
  if (more > 0) return `${named.join(', ')} dan ${more} lainnya`
  return named.length > 1 ? `${named.slice(0, -1).join(', ')} dan ${named.at(-1)}` : named.join('')
}

export interface Outcome {
  readonly done: number
  readonly failures: readonly unknown[]
}

/** '2 siaran dihentikan, 1 gagal.' and why, where one failed. */
export function outcomeWords({ done, failures }: Outcome, verb: string): { title: string; reason: string | null } {
  const told = failures.filter((error) => !(error instanceof SessionEndedError))
  const parts = [done > 0 && `${done} siaran ${verb}`, told.length > 0 && `${told.length} gagal`]
  return {
    title: `${parts.filter(Boolean).join(', ')}.`,
    reason:
      told.length > 0
        ? featureMessage(
            told.find((error) => error instanceof FeatureError),
            REQUEST_FAILED,
          )
        : null,
  }
}
