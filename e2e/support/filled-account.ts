import { setTimeout } from 'node:timers/promises'
import type { APIRequestContext } from '@playwright/test'
import type { RegisterBody } from '@siarin/contracts/auth'
import { type ActiveStream, ActiveStreamsAnswer } from '@siarin/contracts/streams'
import { cachedClip } from '@siarin/testkit/clips'
import type { RtmpServer } from '@siarin/testkit/nginx-rtmp'
import { waitFor } from '@siarin/testkit/wait-for'
import type { Account } from './account.ts'
import { uploadByApi, videosReady } from './videos-by-api.ts'

const VIDEOS = [
  { name: 'Hujan di Ubud.mp4', picture: 'gradients=c0=0x0b3d2e:c1=0x7fb69a:speed=0.02:seed=1', seconds: 24 },
  { name: 'Lofi malam minggu.mp4', picture: 'gradients=c0=0x1a1033:c1=0xd97b66:speed=0.02:seed=2', seconds: 18 },
  { name: 'Senja di Kuta.mp4', picture: 'gradients=c0=0x24365e:c1=0xf2a65a:speed=0.02:seed=3', seconds: 12 },
]

const TITLES = ['Hujan untuk tidur', 'Lofi 24 jam', 'Senja tanpa henti']
const ENDED_AFTER_MS = 5000
const ON_AIR_WITHIN_MS = 90_000
const PLATFORMS = ['youtube', 'facebook', 'lain']

export type FilledAccount = { user: RegisterBody; apiKey: string }

type World = { request: APIRequestContext; account: Account; rtmp: RtmpServer; named?: Partial<RegisterBody> }

async function activeStreams(request: APIRequestContext, { apiKey }: { apiKey: string }): Promise<ActiveStream[]> {
  const answer = await request.get('/fitur/steam/active', { headers: { 'X-API-Key': apiKey } })
  return ActiveStreamsAnswer.parse(await answer.json()).streams
}

/** Ends what is on air: the tests after this one have the machine to themselves. */
export async function stopAll(request: APIRequestContext, owner: { apiKey: string }): Promise<void> {
  for (const { streamId } of await activeStreams(request, owner)) {
    await request.post('/fitur/steam/stop', { headers: { 'X-API-Key': owner.apiKey }, data: { streamId } })
  }
}

/** Somebody who has used everything: videos, a playlist, broadcasts on air and ended ones, platform accounts. */
export async function createFilledAccount({ request, account, rtmp, named }: World): Promise<FilledAccount> {
  const user = await account.register({ username: `Sari ${Date.now().toString(36)}`, ...named })
  const { apiKey } = (await account.session(user)).user
  const headers = { 'X-API-Key': apiKey }

  const post = async (path: string, data: object) => {
    const answer = await request.post(path, { headers, data })
    if (!answer.ok()) throw new Error(`${path} answered ${answer.status()}: ${await answer.text()}`)
    return answer.json()
  }
  const start = (source: string, platform: string, name: string, title: string): Promise<{ streamId: string }> =>
    post('/fitur/steam/start', { source, platform, rtmpStream: `${rtmp.url}/${name}`, looping: true, title })
  const live = (count: number) =>
    waitFor(
      `${count} broadcasts on air`,
      async () => (await activeStreams(request, { apiKey })).filter(({ state }) => state === 'live').length === count,
      { timeoutMs: ON_AIR_WITHIN_MS },
    )

  for (const { name, picture, seconds } of VIDEOS) {
    const file = await cachedClip(name, { picture, seconds, width: 640, height: 360, fps: 10 })
    await uploadByApi(request, { apiKey }, file)
  }
  await videosReady(request, { apiKey })
  await post('/fitur/playlist', { name: 'Malam minggu', videos: VIDEOS.map(({ name }) => name) })

  const ended = await start(VIDEOS[0]?.name ?? '', 'youtube', `${apiKey.slice(-8)}-ended`, 'Uji coba pertama')
  await live(1)
  // Long enough to have been seen.
  await setTimeout(ENDED_AFTER_MS)
  await post('/fitur/steam/stop', { streamId: ended.streamId })
  await live(0)
  for (const [index, { name }] of VIDEOS.entries()) {
    await start(name, PLATFORMS[index] ?? 'lain', `${apiKey.slice(-8)}-${index}`, TITLES[index] ?? '')
  }
  await live(VIDEOS.length)

  for (const name of ['Sari Bernyanyi', 'Kedai Kopi Senja']) {
    await post('/fitur/bigo/add', { siteId: name.toLowerCase().replaceAll(' ', '_'), name })
  }
  await post('/fitur/tiktok/add', { token: 'a-token-for-the-picture-only-0001', name: 'Toko Sari' })
  return { user, apiKey }
}
