import { ANALYTICS_DAYS_MAX } from '@siarin/contracts/analytics-queries'
import { UPCOMING_DAYS_MAX } from '@siarin/contracts/schedules/schedules'
import { DAY_MS } from './account.ts'
import type { Filled } from './fill-account.ts'

const PAGE_MAX = '100'
const dateOf = (at: number): string => new Date(at).toISOString().slice(0, 10)

/** The dearest questions that may be asked: whole pages, the longest times. One operation may be asked several. */
export function createQueries(filled: Filled, now: number): Record<string, readonly Record<string, string>[]> {
  const year = { from: dateOf(now - (ANALYTICS_DAYS_MAX - 2) * DAY_MS), to: dateOf(now), zone: 'America/New_York' }
  const page = [{ limit: PAGE_MAX }]
  return {
    'GET /fitur/target': page,
    'GET /fitur/broadcast': page,
    'GET /fitur/schedule': page,
    'GET /fitur/schedule/upcoming': [
      { from: new Date(now).toISOString(), to: new Date(now + (UPCOMING_DAYS_MAX - 1) * DAY_MS).toISOString() },
    ],
    'GET /fitur/playlist': page,
    'GET /fitur/recording': page,
    'GET /fitur/recording/{id}/file': [{ from: '0', to: '8' }],
    'GET /fitur/analytics/summary': [year],
    'GET /fitur/analytics/broadcasts': [{ ...year, limit: PAGE_MAX }],
    'GET /fitur/analytics/series': [{ streamId: filled.watchedStream }],
    'GET /fitur/analytics/csv': ['days', 'broadcasts', 'incidents'].map((kind) => ({ ...year, kind })),
    'GET /fitur/analytics/report': [{ month: dateOf(now - 40 * DAY_MS).slice(0, 7), zone: year.zone }],
    'GET /fitur/alert': [{ limit: PAGE_MAX }, { limit: PAGE_MAX, unread: 'true' }],
    'GET /fitur/webhook/{id}/deliveries': [{ limit: PAGE_MAX }, { limit: PAGE_MAX, state: 'waiting' }],
    'DELETE /fitur/video/rendition/{filename}': [{ recipe: filled.library.recipeAt(0) }],
  }
}
