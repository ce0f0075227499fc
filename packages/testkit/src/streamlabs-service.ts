import { formOf, type Said, say, serveOnLoopback } from './loopback-http.ts'

export type StreamlabsAccount = {
  /** How a call of a kind is answered, where it is not as usual. */
  info?: Said
  start?: Said
  end?: Said
  canBeLive?: boolean
  /** Where its broadcasts go; without it to a port on which nobody listens. */
  rtmp?: string
  key?: string
}

export type StreamlabsCall = {
  kind: 'info' | 'start' | 'end'
  token: string
  /** The id of the broadcast, where it is about one. */
  id: string
  fields: Record<string, string>
}

export type StreamlabsService = {
  /** For STREAMLABS_API_URL. */
  url: string
  /** A token that nobody has described is valid and may go live. */
  set(token: string, account: StreamlabsAccount): void
  calls(kind: StreamlabsCall['kind'], token?: string): StreamlabsCall[]
  /** The broadcast of this token that has begun and not ended. */
  liveId(token: string): string | null
  dispose(): Promise<void>
}

const BASE = '/api/v5/slobs/tiktok'

/** Streamlabs' door to TikTok, on loopback. It speaks as the real one does, and counts. */
export async function startStreamlabsService(): Promise<StreamlabsService> {
  const accounts = new Map<string, StreamlabsAccount>()
  const calls: StreamlabsCall[] = []
  const live = new Map<string, string>()
  let begun = 0

  function start(token: string, { rtmp = 'rtmp://127.0.0.1:1/live', key }: StreamlabsAccount): Said {
    begun += 1
    const id = `7${String(begun).padStart(18, '0')}`
    live.set(token, id)
    return { json: { id, rtmp, key: key ?? `stream-${id}?expire=1&sign=${begun}`, chat_url: '', region: 'ID' } }
  }

  function answerTo({ kind, token, id }: StreamlabsCall): Said {
    const account = accounts.get(token) ?? {}
    const scripted = account[kind]
    if (scripted) return scripted
    if (kind === 'info') return { json: infoOf(account) }
    if (kind === 'start') return start(token, account)
    if (live.get(token) === id) live.delete(token)
    return { json: { success: true } }
  }

  const server = await serveOnLoopback(async (request, response) => {
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? ''
    const path = (request.url ?? '').replace(BASE, '')
    const id = /^\/stream\/([^/]+)\/end$/.exec(path)?.[1] ?? ''
    const kind = KINDS.get(`${request.method} ${id ? path.replace(id, ':id') : path}`)
    const fields = kind === 'start' ? await formOf(request) : {}
    if (!kind) {
      say(response, { status: 404, html: true })
      return
    }
    const call = { kind, token, id, fields }
    calls.push(call)
    say(response, answerTo(call))
  })
  return {
    url: server.url,
    set: (token, account) => void accounts.set(token, account),
    calls: (kind, token) => calls.filter((call) => call.kind === kind && (token === undefined || call.token === token)),
    liveId: (token) => live.get(token) ?? null,
    dispose: server.close,
  }
}

const KINDS = new Map<string, StreamlabsCall['kind']>([
  ['GET /info', 'info'],
  ['POST /stream/start', 'start'],
  ['POST /stream/:id/end', 'end'],
])

const infoOf = ({ canBeLive = true }: StreamlabsAccount) => ({
  user: { username: 'rina.live' },
  can_be_live: canBeLive,
  reason: '',
  application_status: { status: 'approved', timestamp: 1_790_000_000 },
  audience_controls_info: { disable: false, info_type: 0, types: [] },
})
