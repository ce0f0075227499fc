import { basename } from 'node:path'
import { type RtmpServer, startRtmpServer } from '@siarin/testkit/nginx-rtmp'
import { type Settings, type Siarin, startSiarin } from '@siarin/testkit/siarin-server'
import { tempDir } from '@siarin/testkit/temp-dir'
import { waitFor } from '@siarin/testkit/wait-for'
import { newApiKey } from './person.ts'
import { multipart, sendFile } from './send-file.ts'

export type ApiKey = { readonly 'x-api-key': string }

/** What a row is measured on: a folder, and the whole program with one person in it. It takes itself down. */
export interface Stage extends AsyncDisposable {
  readonly folder: string
  readonly siarin: Siarin
  /** Says who asks. */
  readonly headers: ApiKey
  /** An RTMP server of this stage's own. */
  ingest(): Promise<RtmpServer>
  /** Answers the name that the file has in the library. `by`: somebody else. */
  upload(file: string, onSent?: () => void, by?: ApiKey): Promise<string>
  untilReady(filename: string, everyMs?: number, by?: ApiKey): Promise<void>
  /** Asks for a broadcast in a loop; answers its id. */
  goLive(filename: string, target: string, more?: object, by?: ApiKey): Promise<string>
  stop(streamId: string): Promise<void>
  /** For whatever else has to end with the stage; the last comes first. */
  atEnd(end: () => unknown): void
}

export async function setStage({ env = {} }: { env?: Settings } = {}): Promise<Stage> {
  await using building = new AsyncDisposableStack()
  const folder = await tempDir('bench')
  building.defer(() => folder.remove())
  const siarin = await startSiarin({ givesWay: true, env: { TRUST_PROXY: 'false', ...env } })
  building.defer(() => siarin.dispose())
  const headers: ApiKey = { 'x-api-key': await newApiKey(siarin.url) }
  const props = building.move()

  const post = async (path: string, body: object, by = headers): Promise<{ streamId: string }> => {
    const json = { ...by, 'content-type': 'application/json' }
    const answer = await fetch(siarin.url + path, { method: 'POST', body: JSON.stringify(body), headers: json })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as { streamId: string }
  }
  return {
    folder: folder.path,
    siarin,
    headers,
    async ingest() {
      const rtmp = await startRtmpServer()
      props.defer(() => rtmp.stop())
      return rtmp
    },
    async upload(file, onSent, by = headers) {
      const form = multipart('----WebKitFormBoundary7MA4YWxkTrZu0gWq', basename(file))
      const answer = await sendFile(`${siarin.url}/fitur/video/upload`, file, {
        method: 'POST',
        headers: { ...by, ...form.headers },
        frame: form.frame,
        ...(onSent ? { onSent } : {}),
      })
      return JSON.parse(answer).data.filename
    },
    /** Looking often is precise and costs what is measured: long work is looked at seldom. */
    async untilReady(filename, everyMs = 20, by = headers) {
      await waitFor(
        `${filename} to be ready`,
        async () => {
          const answer = await fetch(`${siarin.url}/fitur/video`, { headers: by })
          const { data } = (await answer.json()) as { data: { filename: string; status: string }[] }
          return data.find((video) => video.filename === filename)?.status === 'ready'
        },
        { timeoutMs: 300_000, everyMs },
      )
    },
    async goLive(source, rtmpStream, more = {}, by = headers) {
      const asked = { source, rtmpStream, platform: 'lain', looping: true, ...more }
      return (await post('/fitur/steam/start', asked, by)).streamId
    },
    async stop(streamId) {
      await post('/fitur/steam/stop', { streamId })
    },
    atEnd: (end) => props.defer(async () => void (await end())),
    [Symbol.asyncDispose]: () => props.disposeAsync(),
  }
}
