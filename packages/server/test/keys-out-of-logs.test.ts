import { existsSync } from 'node:fs'
import { rm, symlink } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { type HlsSource, startHlsSource } from '@siarin/testkit/hls-source'
import { kill9 } from '@siarin/testkit/processes'
import { type TempDir, tempDir } from '@siarin/testkit/temp-dir'
import { waitFor } from '@siarin/testkit/wait-for'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bearer, call, giveVideo, signIn } from './support/program.ts'
import { openStreamStage, type StreamStage } from './support/streams.ts'

const PATIENT = { timeoutMs: 120_000 }
const TOKEN = 'a token for the operator'
const KEY = 'kunci-rahasia-yang-tidak-boleh-tampak'

/** Where the machine has its ffmpeg. */
const realFfmpeg = (): string =>
  process.env['FFMPEG_PATH'] ||
  (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((folder) => join(folder, 'ffmpeg'))
    .find(existsSync) ||
  'ffmpeg'

describe('[SEC-12] an ffmpeg that is gone while it is replaced', () => {
  let folder: TempDir
  let stage: StreamStage
  let ffmpeg: string
  let source: HlsSource

  beforeAll(async () => {
    folder = await tempDir('vanishing-ffmpeg')
    ffmpeg = join(folder.path, 'ffmpeg')
    await symlink(realFfmpeg(), ffmpeg)
    source = await startHlsSource()
    stage = await openStreamStage({ FFMPEG_PATH: ffmpeg, METRICS_TOKEN: TOKEN })
  })
  afterAll(async () => {
    await stage.close()
    await source.dispose()
    await folder.remove()
  })

  it('leaves no stream key in a log, a row, an answer or a figure', async () => {
    const { program, rtmp } = stage
    const { user, token } = await signIn(program.url)
    const headers = bearer(token)
    await giveVideo(program, user, stage.clip)
    const started = await stage.start(user.apiKey, `${KEY}-siaran`)
    await rtmp.waitForPublisher(`${KEY}-siaran`, { growing: true })
    const relayed = await stage.start(user.apiKey, `${KEY}-relai`, { source: source.url, fallback: 'klip.mp4' })
    await rtmp.waitForPublisher(`${KEY}-relai`, { growing: true })
    const streamIds: string[] = [started.body.streamId, relayed.body.streamId]
    const body = { name: 'Tujuan', platform: 'lain', address: rtmp.url, key: `${KEY}-tujuan` }
    const target = await call(program.url, 'POST', '/fitur/target', { body, headers })

    await rm(ffmpeg)
    for (const streamId of streamIds) kill9((await stage.ffmpegOf(streamId))[0])
    const told = (words: string, streamId: string): number =>
      program
        .logged()
        .split('\n')
        .filter((line) => line.includes(words) && line.includes(streamId)).length
    const [looped = '', relays = ''] = streamIds
    // A shell starts each of them, and ends at once where there is no ffmpeg.
    await waitFor('a loop that ended again', async () => told('ffmpeg ended', looped) > 1, PATIENT)
    await waitFor('a relay that ended again', async () => told('ffmpeg ended', relays) > 1, PATIENT)
    const tested = await call(program.url, 'POST', `/fitur/target/${target.body.data.id}/test`, { headers })
    expect(tested.status).toBe(500)

    const answers = await Promise.all([
      stage.active(user.apiKey),
      Promise.all(streamIds.map((streamId) => stage.events(user.apiKey, streamId))),
      call(program.url, 'GET', `/fitur/target/${target.body.data.id}`, { headers }),
      fetch(`${program.url}/metrics`, { headers: bearer(TOKEN) }).then((answer) => answer.text()),
    ])
    expect(answers[3]).toContain('siarin_streams')
    const everything = `${program.logged()}${await program.dump()}${JSON.stringify([answers, tested])}`
    const at = everything.indexOf(KEY)
    expect(at === -1 ? 'no key' : everything.slice(at - 300, at + 40)).toBe('no key')

    await symlink(realFfmpeg(), ffmpeg)
    await rtmp.waitForPublisher(`${KEY}-siaran`, { growing: true })
    await stage.stopAll(user.apiKey)
  })
})
