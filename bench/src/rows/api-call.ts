import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { startSiarin } from '@siarin/testkit/siarin-server'
import autocannon from 'autocannon'
import { newApiKey } from '../person.ts'
import { median, type Row } from '../row.ts'

const ROUNDS = 3
const LOAD = { connections: 20, duration: 4 }

const rate = async (url: string, headers: Record<string, string> = {}): Promise<number> =>
  (await autocannon({ url, headers, ...LOAD })).requests.average

/** The cheapest call that has to know who asks: an API key looked up and a query answered. */
export const apiCall: Row = {
  name: 'api: GET /fitur/steam/active with an API key',
  unit: 'requests/s',
  yardstick: 'bare Node http',
  wanted: { atLeast: 0.05 },
  async measure() {
    const siarin = await startSiarin({ env: { LOG_LEVEL: 'warn' } })
    const bare = createServer((_, response) => response.end('{"success":true}')).listen(0, '127.0.0.1')
    try {
      const apiKey = await newApiKey(siarin.url)
      const bareUrl = `http://127.0.0.1:${(bare.address() as AddressInfo).port}`
      const ours: number[] = []
      const yardstick: number[] = []
      for (let round = 0; round < ROUNDS; round++) {
        yardstick.push(await rate(bareUrl))
        ours.push(await rate(`${siarin.url}/fitur/steam/active`, { 'x-api-key': apiKey }))
      }
      return { ours: median(ours), yardstick: median(yardstick) }
    } finally {
      bare.close()
      await siarin.dispose()
    }
  },
}
