import { formOf, type Said, say, serveOnLoopback } from './loopback-http.ts'

/** What Bigo says of a room: on air at an address, or one of the ways in which it is not. */
export type BigoRoom =
  | { is: 'live'; hls: string; nickname?: string; change?: Record<string, unknown> }
  | {
      is:
        | 'offline'
        | 'offline-without-address'
        | 'unknown-list'
        | 'unknown-null'
        | 'code-1'
        | 'html'
        | 'html-418'
        | 'needs-login'
        | 'error-500'
        /** Never answered. */
        | 'silent'
    }

export type BigoCall = { siteId: string; method: string; path: string; accept: string }

export type BigoService = {
  /** For BIGO_API_URL. */
  url: string
  /** A room that nobody has described is there, and off air. */
  set(siteId: string, room: BigoRoom): void
  /** Every call so far, of one room or of all. */
  calls(siteId?: string): BigoCall[]
  dispose(): Promise<void>
}

const PATH = '/official_website/studio/getInternalStudioInfo'

/** Bigo as far as we ask it, on loopback. */
export async function startBigoService(): Promise<BigoService> {
  const rooms = new Map<string, BigoRoom>()
  const calls: BigoCall[] = []
  const server = await serveOnLoopback(async (request, response) => {
    const { siteId = '' } = await formOf(request)
    const { method = '', url: path = '' } = request
    calls.push({ siteId, method, path, accept: request.headers.accept ?? '' })
    const isCall = path === PATH && method === 'POST'
    say(response, isCall ? answerOf(siteId, rooms.get(siteId) ?? { is: 'offline' }) : { status: 404, html: true })
  })
  return {
    url: server.url,
    set: (siteId, room) => void rooms.set(siteId, room),
    calls: (siteId) => calls.filter((call) => siteId === undefined || call.siteId === siteId),
    dispose: server.close,
  }
}

function answerOf(siteId: string, room: BigoRoom): Said {
  const success = (data: unknown): Said => ({ json: { code: 0, msg: 'success', data } })
  const about = dataOf(siteId)
  switch (room.is) {
    case 'live':
      return success({ ...about, ...nameOf(room.nickname), alive: 1, hls_src: room.hls, ...room.change })
    case 'offline':
      return success(about)
    case 'offline-without-address':
      return success({ ...about, alive: 1, hls_src: '' })
    case 'unknown-list':
      return success([])
    case 'unknown-null':
      return success({ ...about, nick_name: '', alive: null, sid: null, roomId: null })
    case 'code-1':
      return { json: { code: 1, msg: 'paramters invalid', data: [] } }
    case 'html':
      return { html: true }
    case 'html-418':
      return { status: 418, html: true }
    case 'needs-login':
      return success({ ...about, needLogin: true })
    case 'error-500':
      return { status: 500, html: true }
    case 'silent':
      return 'silent'
  }
}

const nameOf = (nickname: string | undefined) => (nickname === undefined ? {} : { nick_name: nickname })

const dataOf = (siteId: string) => ({
  roomId: '6412345678901234567',
  clientBigoId: siteId,
  sid: 2_718_281,
  uid: 314_159,
  nick_name: `Host ${siteId}`,
  roomTopic: 'Malam santai',
  gameTitle: '',
  snapshot: '',
  avatar: '',
  alive: 0,
  hls_src: '',
  passRoom: false,
  isPaidShow: false,
  needLogin: false,
  roomStatus: 0,
  roomType: 0,
})
