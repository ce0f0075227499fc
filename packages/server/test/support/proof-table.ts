/** Why a call asks for proof: what a stolen session could do with it. */
const SHOWS = 'changes what viewers see'
const SENDS = 'sends to a target whose key nobody types'
const LISTENS = 'goes on listening after the session has ended'
const OPENS = 'opens the account for longer than the session'
/** Why a call does not. */
const STOPS = 'ends something, which must always be possible'
const ADDS = 'adds what nobody sees until it is chosen'
const TAKES = 'takes away what is neither on air nor shown in another form'
const SELF = 'asks for the password, a code or a link of its own'
const PRIVATE = 'concerns what the owner is told, and no viewer'
const OWN_TARGET = 'sends to a key that the caller knows, to no channel of the owner'

/** What the table is tried on. */
export interface Stage {
  /** Started by a schedule. */
  readonly scheduledList: string
  /** On air. */
  readonly shownList: string
  readonly freeList: string
  readonly itemOfScheduled: string
  readonly itemOfFree: string
  readonly schedule: string
  readonly target: string
}

export interface ProofRow {
  /** As in `/openapi.json`. */
  readonly route: string
  readonly asks: boolean
  readonly why: string
  /** The path with its parts filled in; left out: with a part that names nothing. */
  readonly path?: (stage: Stage) => string
  readonly body?: object
}

const row = (asks: boolean, why: string, route: string, body?: object, path?: ProofRow['path']): ProofRow => ({
  ...{ route, asks, why },
  ...(body && { body }),
  ...(path && { path }),
})
const asks = (why: string, route: string, body?: object, path?: ProofRow['path']) => row(true, why, route, body, path)
const open = (why: string, route: string, body?: object, path?: ProofRow['path']) => row(false, why, route, body, path)

const KEY = 'rtmp://127.0.0.1:1/live/kunci-pencuri'
const TYPED = { platform: 'lain', rtmpStream: KEY }
const RULE = { repeat: { kind: 'daily' }, windows: [{ start: '08:00', minutes: 5 }] }
const VIDEOS = { videos: ['klip.mp4'] }
const ANY_TOKEN = { token: 'x'.repeat(46), newPassword: 'sangat-rahasia-1' }
const PUSH = {
  endpoint: 'https://push.example/1',
  keys: { p256dh: 'B'.repeat(87), auth: 'a'.repeat(22) },
}
const itemsOf = (list: (stage: Stage) => string) => (stage: Stage) => `/fitur/playlist/${list(stage)}/items`

/** Every call that changes something, each with whether a session from a strange browser has to prove its password first. */
export const PROOF_TABLE: readonly ProofRow[] = [
  // What viewers see.
  asks(SHOWS, 'POST /fitur/steam/swap', { streamId: 'siaran', source: 'klip.mp4' }),
  asks(SHOWS, 'POST /fitur/steam/skip', { streamId: 'siaran' }),
  asks(SHOWS, 'POST /fitur/schedule', { rule: RULE, broadcast: { source: 'klip.mp4', ...TYPED } }),
  asks(SHOWS, 'PATCH /fitur/schedule/{id}', { rule: RULE }),
  asks(SHOWS, 'PATCH /fitur/schedule/{id}', { endAtPass: true }),
  asks(SHOWS, 'PATCH /fitur/schedule/{id}', { broadcast: { source: 'klip.mp4', ...TYPED } }),
  open('is a name that the owner alone reads', 'PATCH /fitur/schedule/{id}', { title: 'Lain' }),
  asks(SHOWS, 'POST /fitur/schedule/{id}/skip', { date: '2030-01-01', skip: false }),
  open(STOPS, 'POST /fitur/schedule/{id}/skip', { date: '2030-01-01' }),
  asks(SHOWS, 'POST /fitur/schedule/{id}/resume'),
  open(STOPS, 'POST /fitur/schedule/{id}/pause'),
  open(STOPS, 'DELETE /fitur/schedule/{id}'),
  asks(
    SHOWS,
    'POST /fitur/playlist/{id}/items',
    VIDEOS,
    itemsOf(({ scheduledList }) => scheduledList),
  ),
  asks(
    SHOWS,
    'POST /fitur/playlist/{id}/items',
    VIDEOS,
    itemsOf(({ shownList }) => shownList),
  ),
  open(
    ADDS,
    'POST /fitur/playlist/{id}/items',
    VIDEOS,
    itemsOf(({ freeList }) => freeList),
  ),
  asks(
    SHOWS,
    'PATCH /fitur/playlist/{id}/items/{itemId}',
    { index: 0 },
    ({ scheduledList, itemOfScheduled }) => `/fitur/playlist/${scheduledList}/items/${itemOfScheduled}`,
  ),
  open(
    ADDS,
    'PATCH /fitur/playlist/{id}/items/{itemId}',
    { index: 0 },
    ({ freeList, itemOfFree }) => `/fitur/playlist/${freeList}/items/${itemOfFree}`,
  ),
  asks(
    SHOWS,
    'DELETE /fitur/playlist/{id}/items/{itemId}',
    undefined,
    ({ scheduledList, itemOfScheduled }) => `/fitur/playlist/${scheduledList}/items/${itemOfScheduled}`,
  ),
  asks(
    SHOWS,
    'PATCH /fitur/playlist/{id}',
    { shuffle: true },
    ({ scheduledList }) => `/fitur/playlist/${scheduledList}`,
  ),
  open(
    'is a name that the owner alone reads',
    'PATCH /fitur/playlist/{id}',
    { name: 'Lain' },
    ({ scheduledList }) => `/fitur/playlist/${scheduledList}`,
  ),
  open(ADDS, 'POST /fitur/playlist', { name: 'Baru', ...VIDEOS }),
  open(TAKES, 'DELETE /fitur/playlist/{id}'),
  asks(SHOWS, 'POST /fitur/playlist/{id}/alike', undefined, ({ shownList }) => `/fitur/playlist/${shownList}/alike`),
  // It orders versions of videos, which broadcasts choose by themselves, whatever list it is asked for.
  asks(SHOWS, 'POST /fitur/playlist/{id}/alike', undefined, ({ freeList }) => `/fitur/playlist/${freeList}/alike`),
  asks(SHOWS, 'PUT /fitur/branding', { text: 'Bukan kami' }),
  asks(SHOWS, 'PUT /fitur/branding/logo'),
  open('shows nothing of anybody else', 'DELETE /fitur/branding/logo'),
  open(ADDS, 'POST /fitur/video/upload'),
  open(ADDS, 'POST /fitur/video/import', { url: 'http://127.0.0.1:1/x.mp4' }),
  open('makes the same video again', 'POST /fitur/video/retry/{filename}'),
  // Refused on air and in lists; a schedule names it by its id, so that nothing else takes its place.
  open(TAKES, 'DELETE /fitur/video/delete/{filename}'),
  asks(SHOWS, 'POST /fitur/video/rendition/{filename}', { recipe: '640x360@30:900' }),
  asks(SHOWS, 'DELETE /fitur/video/rendition/{filename}', undefined, () => '/fitur/video/rendition/x?recipe=x'),
  // Where broadcasts go.
  asks(SENDS, 'POST /fitur/steam/start', { source: 'klip.mp4', platform: 'lain', targetOf: 'siaran' }),
  open(OWN_TARGET, 'POST /fitur/steam/start', { source: 'tidak-ada.mp4', ...TYPED }),
  asks(SENDS, 'POST /fitur/broadcast', { source: 'klip.mp4', targets: [{ targetId: 'tersimpan' }] }),
  open(OWN_TARGET, 'POST /fitur/broadcast', { source: 'tidak-ada.mp4', targets: [TYPED] }),
  asks(SENDS, 'POST /fitur/broadcast/{id}/targets', { targets: [{ targetId: 'tersimpan' }] }),
  open(OWN_TARGET, 'POST /fitur/broadcast/{id}/targets', { targets: [TYPED] }),
  asks(SENDS, 'POST /fitur/steamlabs/start', { accountId: 'akun', title: 'Uji' }),
  open(OWN_TARGET, 'POST /fitur/steamlabs/start', { token: 'token-sendiri-panjang', title: 'Uji' }),
  asks(SENDS, 'POST /fitur/target/{id}/test'),
  asks(SENDS, 'PATCH /fitur/target/{id}', { key: 'kunci-pencuri' }),
  open('is a name that the owner alone reads', 'PATCH /fitur/target/{id}', { name: 'Lain' }),
  open(ADDS, 'POST /fitur/target', { name: 'Baru', platform: 'youtube', key: 'kunci-pencuri' }),
  open(TAKES, 'DELETE /fitur/target/{id}'),
  open(STOPS, 'POST /fitur/steam/stop', { streamId: 'siaran' }),
  open(STOPS, 'POST /fitur/broadcast/{id}/stop'),
  open(STOPS, 'DELETE /fitur/broadcast/{id}/targets/{streamId}'),
  open(ADDS, 'POST /fitur/online/add', { name: 'Baru', url: 'http://127.0.0.1:1/x.m3u8' }),
  open(TAKES, 'DELETE /fitur/online/{id}'),
  open(ADDS, 'POST /fitur/bigo/add', { name: 'Baru', siteId: 'kamar1' }),
  open(ADDS, 'POST /fitur/tiktok/add', { name: 'Baru', token: 'token-sendiri-panjang' }),
  open(TAKES, 'DELETE /fitur/bigo/{accountId}'),
  open(TAKES, 'DELETE /fitur/tiktok/{accountId}'),
  open(TAKES, 'DELETE /fitur/recording/{id}'),
  open(ADDS, 'POST /fitur/recording/{id}/video', {}),
  // Who is told.
  asks(LISTENS, 'POST /fitur/webhook', { url: 'http://127.0.0.1:1/', events: ['stream.live'] }),
  asks(LISTENS, 'PATCH /fitur/webhook/{id}', { url: 'http://127.0.0.1:1/' }),
  open(PRIVATE, 'PATCH /fitur/webhook/{id}', { description: 'Lain' }),
  asks(LISTENS, 'POST /fitur/webhook/{id}/rotate-secret'),
  open(STOPS, 'DELETE /fitur/webhook/{id}'),
  open(STOPS, 'POST /fitur/webhook/{id}/pause'),
  open(PRIVATE, 'POST /fitur/webhook/{id}/resume'),
  open(PRIVATE, 'POST /fitur/webhook/{id}/deliveries/{deliveryId}/resend'),
  open(PRIVATE, 'POST /fitur/webhook/{id}/test'),
  asks(LISTENS, 'POST /fitur/alert/channel/telegram', {}),
  asks(LISTENS, 'POST /fitur/alert/channel/discord', { url: 'https://discord.com/api/webhooks/12345/x' }),
  asks(LISTENS, 'POST /fitur/alert/channel/push', { subscription: PUSH }),
  open('goes to the address of the account', 'POST /fitur/alert/channel/email'),
  open(PRIVATE, 'DELETE /fitur/alert/channel/telegram'),
  open(PRIVATE, 'POST /fitur/alert/channel/push/remove', { endpoint: PUSH.endpoint }),
  open(PRIVATE, 'PATCH /fitur/alert/channel/{id}', { name: 'Lain' }),
  open(PRIVATE, 'DELETE /fitur/alert/channel/{id}'),
  open(PRIVATE, 'POST /fitur/alert/channel/{id}/test'),
  open(PRIVATE, 'POST /fitur/alert/{id}/read'),
  open(PRIVATE, 'POST /fitur/alert/read-all', { upTo: '1' }),
  open(PRIVATE, 'PUT /fitur/alert/settings', {}),
  open(PRIVATE, 'PUT /fitur/analytics/report-mail', { on: false }),
  open('notes which page was opened', 'POST /fitur/activity', { page: 'live' }),
  open('opens what the session itself may see, for as long as it may', 'POST /fitur/video/ticket'),
  // The account itself.
  asks(OPENS, 'POST /auth/profile/apikey', {}),
  asks(OPENS, 'POST /auth/second-factor'),
  open(SELF, 'POST /auth/second-factor/confirm', { code: '000000' }),
  open(SELF, 'POST /auth/second-factor/codes', { password: 'salah-sekali', code: '000000' }),
  open(SELF, 'POST /auth/second-factor/off', { password: 'salah-sekali', code: '000000' }),
  open(SELF, 'POST /auth/confirm', { password: 'salah-sekali' }),
  open(SELF, 'POST /auth/profile/password', { currentPassword: 'salah-sekali', newPassword: 'sangat-rahasia-1' }),
  open(SELF, 'DELETE /auth/profile', { currentPassword: 'salah-sekali', confirm: 'x' }),
  open(SELF, 'POST /auth/login', { email: 'tidak-ada@gmail.com', password: 'salah-sekali' }),
  open(SELF, 'POST /auth/login/code', { challenge: 'x', code: '000000' }),
  open(SELF, 'POST /auth/register', { username: 'x', email: 'x', password: 'x' }),
  open(SELF, 'POST /auth/forgot', { email: 'tidak-ada@gmail.com' }),
  open(SELF, 'POST /auth/reset', ANY_TOKEN),
  open(SELF, 'POST /auth/verify', ANY_TOKEN),
  open('sends a link to the address of the account', 'POST /auth/verify/resend'),
  open('is a name', 'POST /auth/profile/username', { username: 'nama-lain' }),
  open(STOPS, 'POST /auth/logout'),
  open(STOPS, 'DELETE /auth/sessions/{sessionId}'),
]
