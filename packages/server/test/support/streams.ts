import type { ActiveStream, EndedStream, StreamIncident } from '@siarin/contracts/streams'
import type { RtmpServer } from '@siarin/testkit/nginx-rtmp'
import { call } from './program.ts'

/** The calls of somebody who broadcasts `klip.mp4` to a server of the test's own. */
export const streamCalls = (url: string, rtmp: Pick<RtmpServer, 'url'>) => ({
  start: (apiKey: string, key: string, more = {}) =>
    call(url, 'POST', '/fitur/steam/start', {
      body: { apiKey, source: 'klip.mp4', platform: 'lain', rtmpStream: `${rtmp.url}/${key}`, looping: true, ...more },
    }),
  stop: (apiKey: string, streamId: string) => call(url, 'POST', '/fitur/steam/stop', { body: { apiKey, streamId } }),
  swap: (apiKey: string, streamId: string, source: string) =>
    call(url, 'POST', '/fitur/steam/swap', { body: { apiKey, streamId, source } }),
  active: async (apiKey: string): Promise<ActiveStream[]> =>
    (await call(url, 'GET', `/fitur/steam/active?apiKey=${apiKey}`)).body.streams,
  history: async (apiKey: string): Promise<EndedStream[]> =>
    (await call(url, 'GET', `/fitur/steam/history?apiKey=${apiKey}`)).body.streams,
  /** Newest first. */
  events: async (apiKey: string, streamId: string): Promise<StreamIncident[]> =>
    (await call(url, 'GET', `/fitur/steam/${streamId}/events?apiKey=${apiKey}`)).body.events,
})
