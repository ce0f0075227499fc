import { join } from 'node:path'
import type { ActiveStream, EndedStream, StreamIncident } from '@siarin/contracts/streams'
import { makeClip } from '@siarin/testkit/clips'
import { type RtmpServer, startRtmpServer } from '@siarin/testkit/nginx-rtmp'
import { ffmpegsUnder } from '@siarin/testkit/processes'
import { tempDir } from '@siarin/testkit/temp-dir'
import { waitFor } from '@siarin/testkit/wait-for'
import type { Timings } from '../../src/platform/timings.ts'
import { call, startProgram } from './program.ts'

/** The calls of somebody who broadcasts `klip.mp4` to a server of the test's own. */
export function streamCalls(url: string, rtmp: Pick<RtmpServer, 'url'>) {
  const target = (key: string) => ({ platform: 'lain', rtmpStream: `${rtmp.url}/${key}` })
  const stop = (apiKey: string, streamId: string) =>
    call(url, 'POST', '/fitur/steam/stop', { body: { apiKey, streamId } })
  const active = async (apiKey: string): Promise<ActiveStream[]> =>
    (await call(url, 'GET', `/fitur/steam/active?apiKey=${apiKey}`)).body.streams
  return {
    start: (apiKey: string, key: string, more = {}) =>
      call(url, 'POST', '/fitur/steam/start', {
        body: { apiKey, source: 'klip.mp4', ...target(key), looping: true, ...more },
      }),
    stop,
    /** For a person whom several tests share. */
    async stopAll(apiKey: string): Promise<void> {
      for (const { streamId } of await active(apiKey)) await stop(apiKey, streamId)
      await waitFor('every broadcast to have ended', async () => (await active(apiKey)).length === 0)
    },
    swap: (apiKey: string, streamId: string, source: string) =>
      call(url, 'POST', '/fitur/steam/swap', { body: { apiKey, streamId, source } }),
    preview: (apiKey: string, streamId: string) =>
      call(url, 'GET', `/fitur/steam/${streamId}/preview?apiKey=${apiKey}`),
    deleteVideo: (apiKey: string, name: string) =>
      call(url, 'DELETE', `/fitur/video/delete/${name}`, { body: { apiKey } }),
    active,
    history: async (apiKey: string): Promise<EndedStream[]> =>
      (await call(url, 'GET', `/fitur/steam/history?apiKey=${apiKey}`)).body.streams,
    /** Newest first. */
    events: async (apiKey: string, streamId: string): Promise<StreamIncident[]> =>
      (await call(url, 'GET', `/fitur/steam/${streamId}/events?apiKey=${apiKey}`)).body.events,
  }
}

export type StreamStage = Awaited<ReturnType<typeof openStreamStage>>

/** A program, somewhere to send to, and something to send. */
export async function openStreamStage(
  env: Record<string, string> = {},
  timings?: Partial<Timings>,
  ingest: Parameters<typeof startRtmpServer>[0] = {},
) {
  const folder = await tempDir('streams')
  const clip = join(folder.path, 'klip.mp4')
  await makeClip(clip, { seconds: 3 })
  const rtmp = await startRtmpServer(ingest)
  const program = await startProgram(env, timings)
  return {
    ...streamCalls(program.url, rtmp),
    program,
    rtmp,
    clip,
    folder: folder.path,
    ffmpegOf: async (streamId: string) =>
      (await ffmpegsUnder(program.dataDir)).filter(({ args }) => args.some((arg) => arg.includes(streamId))),
    async close(): Promise<void> {
      await program.close()
      await rtmp.stop()
      await folder.remove()
    },
  }
}
