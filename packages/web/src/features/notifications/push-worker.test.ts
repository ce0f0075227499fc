import { describe, expect, it, vi } from 'vitest'
import source from '../../../public/push-worker.js?raw'

const ORIGIN = 'https://siaran.example'

interface Shown {
  readonly title: string
  readonly options: NotificationOptions & { readonly data: { readonly url: string }; readonly tag?: string }
}

/** The worker's own code, in the place of a browser's. */
function startWorker(windows: readonly { url: string; focus: () => void }[] = []) {
  const handlers = new Map<string, (event: object) => void>()
  const shown: Shown[] = []
  const opened: string[] = []
  const self = {
    location: new URL(ORIGIN),
    addEventListener: (name: string, handler: (event: object) => void) => handlers.set(name, handler),
    skipWaiting: () => {},
    registration: {
      showNotification: async (title: string, options: Shown['options']) => void shown.push({ title, options }),
    },
    clients: { matchAll: async () => windows, openWindow: async (url: string) => void opened.push(url) },
  }
  new Function('self', source)(self)
  const fire = async (name: string, event: object): Promise<void> => {
    const waits: Promise<unknown>[] = []
    handlers.get(name)?.({ ...event, waitUntil: (wait: Promise<unknown>) => waits.push(wait) })
    await Promise.all(waits)
  }
  return {
    shown,
    opened,
    handlers,
    push: (body: string | null) => fire('push', { data: body === null ? null : { json: () => JSON.parse(body) } }),
    click: (url: unknown) => fire('notificationclick', { notification: { close: () => {}, data: { url } } }),
  }
}

describe('[ALERT-04] the worker that shows pushes', () => {
  it('shows title, text and topic, and leads to the page that it names', async () => {
    const worker = startWorker()
    await worker.push(
      JSON.stringify({
        title: 'Siaran gagal',
        text: 'Malam',
        url: '/fitur/siaran?siaran=a',
        topic: 't',
        isImportant: true,
      }),
    )
    expect(worker.shown).toEqual([
      {
        title: 'Siaran gagal',
        options: expect.objectContaining({
          body: 'Malam',
          tag: 't',
          requireInteraction: true,
          data: { url: `${ORIGIN}/fitur/siaran?siaran=a` },
        }),
      },
    ])
  })

  it.each([null, 'no json', '"text"', '[]', 'null', '{"title":5,"url":{}}'])(
    'shows something for any push: %s',
    async (body) => {
      const worker = startWorker()
      await worker.push(body)
      expect(worker.shown.map(({ title, options }) => [title, options.data.url])).toEqual([
        ['Ada kabar baru', `${ORIGIN}/fitur/notifikasi`],
      ])
    },
  )

  it.each(['https://elsewhere.example/x', '//elsewhere.example', 'javascript:alert(1)', 'data:text/html,x'])(
    'never leads elsewhere: %s',
    async (url) => {
      const worker = startWorker()
      await worker.push(JSON.stringify({ title: 'a', url }))
      await worker.click(url)
      expect([worker.shown[0]?.options.data.url, ...worker.opened]).toEqual([
        `${ORIGIN}/fitur/notifikasi`,
        `${ORIGIN}/fitur/notifikasi`,
      ])
    },
  )

  it('brings a tab to the front that shows the page already, and opens one otherwise', async () => {
    const focus = vi.fn()
    const worker = startWorker([{ url: `${ORIGIN}/fitur/siaran`, focus }])
    await worker.click('/fitur/siaran')
    expect([focus.mock.calls.length, worker.opened]).toEqual([1, []])
    await worker.click(`${ORIGIN}/fitur/jadwal`)
    expect([focus.mock.calls.length, worker.opened]).toEqual([1, [`${ORIGIN}/fitur/jadwal`]])
  })

  it('answers no request of a page', () => {
    expect([...startWorker().handlers.keys()]).toEqual(['install', 'push', 'notificationclick'])
  })
})
