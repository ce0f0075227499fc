import { join } from 'node:path'
import { type ClipOptions, makeClip } from '@siarin/testkit/clips'
import { startRtmpServer } from '@siarin/testkit/nginx-rtmp'
import { tempDir } from '@siarin/testkit/temp-dir'
import { expect } from 'vitest'
import { allProcessed } from './all-processed.ts'
import { call, signIn, startProgram, uploadVideo } from './program.ts'
import { streamCalls } from './streams.ts'

type Clip = Readonly<Omit<ClipOptions, 'extraArgs'>> & { readonly extraArgs?: readonly string[] }

/** A program, an ingest that records, and somebody who has these clips as videos that are ready. */
export async function openPlaylistStage(clips: Readonly<Record<string, Clip>>, env: Record<string, string> = {}) {
  const folder = await tempDir('playlists')
  const rtmp = await startRtmpServer({ record: true })
  const program = await startProgram(env)
  const { apiKey } = (await signIn(program.url)).user
  const files = new Map(Object.keys(clips).map((name) => [name, join(folder.path, name)]))
  for (const [name, { extraArgs = [], ...options }] of Object.entries(clips)) {
    const file = files.get(name) ?? ''
    await makeClip(file, { ...options, extraArgs: [...extraArgs] })
    await uploadVideo(program.url, apiKey, file, name)
  }
  const videos = await allProcessed(program.url, apiKey)
  expect(videos).toHaveLength(files.size)
  for (const video of videos) expect(video).toMatchObject({ status: 'ready', reason: null, renditions: [] })
  return {
    ...{ rtmp, program, apiKey, files },
    calls: streamCalls(program.url, rtmp),
    send: async (method: string, path: string, body = {}) =>
      (await call(program.url, method, path, { body: { apiKey, ...body } })).body,
    /** What arrived under this key, in order. */
    recordingsOf: async (key: string): Promise<string[]> =>
      (await rtmp.recordings()).filter((path) => path.includes(`${key}-`)).sort(),
    async close(): Promise<void> {
      await program.close()
      await rtmp.stop()
      await folder.remove()
    },
  }
}

export type PlaylistStage = Awaited<ReturnType<typeof openPlaylistStage>>
