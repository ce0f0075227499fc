import type { Broadcast } from '@siarin/contracts/broadcasts'
import { waitFor } from '@siarin/testkit/wait-for'
import { call } from './program.ts'

/** The calls of somebody who broadcasts `klip.mp4` to several places at once. */
export function broadcastCalls(url: string, apiKey: string) {
  const headers = { 'x-api-key': apiKey }
  const get = async (path: string) => call(url, 'GET', path, { headers })
  const show = async (id: string): Promise<Broadcast> => (await get(`/fitur/broadcast/${id}`)).body.broadcast
  const target = (address: string) => ({ platform: 'lain', rtmpStream: address })
  return {
    get,
    show,
    start: (addresses: readonly string[], more = {}) =>
      call(url, 'POST', '/fitur/broadcast', {
        body: { source: 'klip.mp4', targets: addresses.map(target), ...more },
        headers,
      }),
    list: (query = '') => get(`/fitur/broadcast${query}`),
    stop: (id: string) => call(url, 'POST', `/fitur/broadcast/${id}/stop`, { headers }),
    add: (id: string, addresses: readonly string[]) =>
      call(url, 'POST', `/fitur/broadcast/${id}/targets`, { body: { targets: addresses.map(target) }, headers }),
    remove: (id: string, streamId: string) =>
      call(url, 'DELETE', `/fitur/broadcast/${id}/targets/${streamId}`, { headers }),
    statesOf: async (id: string) => (await show(id)).streams.map(({ state }) => state),
    /** Until its streams are so, in their order. */
    waitForStates: (id: string, wanted: readonly string[]) =>
      waitFor(`the streams to be ${wanted}`, async () => {
        const broadcast = await show(id)
        return JSON.stringify(broadcast.streams.map(({ state }) => state)) === JSON.stringify(wanted) && broadcast
      }),
  }
}
