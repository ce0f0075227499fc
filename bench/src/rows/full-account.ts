import { QUICK } from '../../../packages/server/test/hostile/at-limits/amounts.ts'
import { openStage } from '../../../packages/server/test/hostile/at-limits/stage.ts'
import { p99OfCalls } from '../call-times.ts'
import type { Measured, Row } from '../row.ts'

/** What somebody looks at who goes through the screens. */
const PATHS = [
  ...['steam/active', 'steam/history', 'video', 'playlist', 'schedule', 'schedule/upcoming', 'target', 'recording'],
  ...['broadcast', 'online', 'alert', 'alert/unread', 'webhook', 'activity', 'analytics/summary'],
]
const ROUNDS = 20
const WARM_UP_ROUNDS = 3

async function measure(): Promise<Measured> {
  const stage = await openStage({}, QUICK)
  const p99Of = ({ apiKey }: { readonly apiKey: string }): Promise<number> =>
    p99OfCalls({
      ...{ urls: PATHS.map((path) => `${stage.siarin.url}/fitur/${path}`), headers: { 'x-api-key': apiKey } },
      ...{ count: ROUNDS * PATHS.length, warmUps: WARM_UP_ROUNDS * PATHS.length },
    })
  try {
    return { yardstick: await p99Of(stage.neighbour), ours: await p99Of(stage.full) }
  } finally {
    await stage.close()
  }
}

export const fullAccount: Row = {
  name: 'limits: a round of ordinary reads of an account that owns as much as it can, p99',
  unit: 'ms',
  yardstick: 'an empty account in the same program',
  wanted: { ratioAtMost: 5, orAtMost: 50 },
  measure,
}
