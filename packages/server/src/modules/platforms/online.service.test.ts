import { expect, it } from 'vitest'
import type { Caller } from '../identity/caller.ts'
import { createOnlineService } from './online.service.ts'

const PLAYLIST = '#EXTM3U\n#EXT-X-TARGETDURATION:2\n'

async function* bodyOf(text: string) {
  yield Buffer.from(text)
}

it('[SAFE-04] are added while the sources of many others accept a connection and say nothing', async () => {
  const opened: string[] = []
  const egress = {
    parse: (text: string) => new URL(text),
    resolve: async () => {},
    open({ hostname }: URL) {
      opened.push(hostname)
      return hostname === 'silent' ? new Promise(() => {}) : Promise.resolve({ body: bodyOf(PLAYLIST) })
    },
  }
  const repo = { byMark: async () => null, count: async () => 0, insertWithin: async () => true }
  const sealer = { mark: () => 'mark', seal: () => 'sealed', open: () => ({ reveal: () => 'http://live/' }) }
  const deps = { repo, egress, sealer, clock: { now: () => 0 }, previewsOf: async () => () => '/preview' }
  const service = createOnlineService(deps as unknown as Parameters<typeof createOnlineService>[0])
  const add = (userId: string, url: string) =>
    service.add({ userId, workspaceId: userId } as Caller, { name: 'Kamera', url })
  for (let user = 0; user < 20; user++) void add(`user-${user}`, 'http://silent/')
  await expect(add('ani', 'http://live/')).resolves.toMatchObject({ previewUrl: '/preview' })
  expect(opened.indexOf('live')).toBe(20)
})
