import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import autocannon from 'autocannon'
import { median, type Row } from '../row.ts'
import { setStage } from '../stage.ts'

const ROUNDS = 3
const LOAD = { connections: 20, duration: 4 }

const rate = async (url: string, headers: Record<string, string> = {}): Promise<number> =>
  (await autocannon({ url, headers, ...LOAD })).requests.average

/** The cheapest call that has to know who asks: an API key looked up and a query answered. */
export const apiCall: Row = {
  name: 'api: GET /fitur/steam/active with an API key',
  unit: 'requests/s',
  yardstick: 'bare Node http',
  wanted: { ratioAtLeast: 0.05 },
  async measure() {
    await using stage = await setStage({ env: { LOG_LEVEL: 'warn' } })
    const bare = createServer((_, response) => response.end('{"success":true}')).listen(0, '127.0.0.1')
    stage.atEnd(() => bare.close())
    await once(bare, 'listening')
    const bareUrl = `http://127.0.0.1:${(bare.address() as AddressInfo).port}`
    const ours: number[] = []
    const yardstick: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      yardstick.push(await rate(bareUrl))
      ours.push(await rate(`${stage.siarin.url}/fitur/steam/active`, stage.headers))
    }
    return { ours: median(ours), yardstick: median(yardstick) }
  },
}
