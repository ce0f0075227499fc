import { randomUUID } from 'node:crypto'
import { DEFAULT_ALERT_SETTINGS } from '@siarin/contracts/alerts'
import { MOST_TARGETS } from '@siarin/contracts/broadcasts'
import { LIVE_TITLE_MAX } from '@siarin/contracts/limits'
import { PLAYLIST_ITEMS_MAX, playlistSource } from '@siarin/contracts/playlists'
import { WEBHOOK_DESCRIPTION_MAX, WEBHOOK_EVENTS } from '@siarin/contracts/webhooks'
import { newUser } from '../../support/program.ts'
import { type Account, DAY_MS } from './account.ts'
import type { Amounts } from './amounts.ts'
import type { Filled } from './fill-account.ts'
import { idAt } from './fill-rows.ts'
import { largestRule, NOBODY } from './seed.ts'

export interface BodyNeeds {
  readonly filled: Filled
  readonly amounts: Amounts
  readonly full: Account
  readonly spare: Account
  readonly live: { readonly streamId: string }
}

const long = (count: number, text = 'x'): string => text.repeat(count)
const unique = (): string => randomUUID().slice(0, 13)
const CODE = { code: '123456' }
/** A point of the curve, as browsers have them. */
const P256DH = 'BNcRdreALRFXTkOOUHK1EtK2wtaz5Ry4YfYCA_0QTpQtUbVlUls0VJXg7A8u-Ts1XbjhazAkj7I99e8QcYP7DkM'
const subscription = (endpoint: string) => ({ endpoint, keys: { p256dh: P256DH, auth: 'tBHItJI5svbpez7KI4CCXg' } })
const pushEndpoint = (n: number): string => `http://127.0.0.1:1/push/${n}`

/** A body for each operation that takes one, as large as it may be; `n`: for the so many-th call. */
export function createBodies({
  filled,
  amounts,
  full,
  spare,
  live,
}: BodyNeeds): Record<string, (n: number) => unknown> {
  const { library } = filled
  const source = playlistSource(idAt(library.playlists.like, library.playlists.count - 2))
  const typed = () => ({ platform: 'lain', rtmpStream: `${NOBODY.rtmp}/${unique()}` })
  const targets = (count: number) => Array.from({ length: count }, typed)
  const title = long(LIVE_TITLE_MAX)
  const schedule = () => ({ title, rule: largestRule(amounts), broadcast: { source, targets: targets(MOST_TARGETS) } })
  const videos = Array.from({ length: PLAYLIST_ITEMS_MAX }, (_, at) => library.filenameAt(at % library.videos.count))
  const webhook = () => ({ url: NOBODY.http, description: long(WEBHOOK_DESCRIPTION_MAX), events: [...WEBHOOK_EVENTS] })
  const farDate = new Date(Date.now() + 300 * DAY_MS).toISOString().slice(0, 10)
  const password = { currentPassword: spare.password, newPassword: `${spare.password}-baru` }
  return {
    'POST /auth/register': () => newUser(),
    'POST /auth/login': () => ({ email: full.email, password: full.password }),
    'POST /auth/login/code': () => ({ challenge: long(900), ...CODE }),
    'POST /auth/profile/apikey': () => ({}),
    'POST /auth/profile/password': () => password,
    'POST /auth/confirm': () => ({ password: full.password, trust: true }),
    'POST /auth/profile/username': () => ({ username: `nama ${unique()}` }),
    'POST /auth/forgot': () => ({ email: full.email }),
    'POST /auth/reset': () => ({ token: 'salah', newPassword: 'rahasia-sekali-lagi' }),
    'POST /auth/verify': () => ({ token: 'salah' }),
    'POST /auth/second-factor/confirm': () => CODE,
    'POST /auth/second-factor/codes': () => ({ password: full.password, ...CODE }),
    'POST /auth/second-factor/off': () => ({ password: full.password, ...CODE }),
    'POST /fitur/steamlabs/start': () => ({ accountId: idAt(filled.tiktok.like, 0), title }),
    'POST /fitur/online/add': () => ({ name: 'Sumber', url: `http://127.0.0.1:1/${unique()}.m3u8` }),
    'PUT /fitur/branding': (n) => ({ text: `Saluran ${n}`, colours: { text: '#ffffff', background: '#111827' } }),
    'POST /fitur/video/import': () => ({ url: `http://127.0.0.1:1/${unique()}.mp4` }),
    'POST /fitur/video/rendition/{filename}': () => ({ recipe: '320x180@25:500' }),
    'POST /fitur/target': (n) => ({
      name: `Baru ${n} ${unique()}`,
      platform: 'lain',
      address: NOBODY.rtmp,
      key: unique(),
    }),
    'PATCH /fitur/target/{id}': () => ({ name: `Lain ${unique()}`, key: unique() }),
    'POST /fitur/steam/start': () => ({ source, ...typed(), looping: true, record: true, title }),
    'POST /fitur/steam/swap': () => ({ streamId: live.streamId, source: library.filenameAt(0) }),
    'POST /fitur/steam/skip': () => ({ streamId: live.streamId }),
    'POST /fitur/steam/stop': () => ({ streamId: live.streamId }),
    'POST /fitur/broadcast': (n) => ({
      source,
      looping: true,
      record: true,
      title,
      targets: targets(n === 0 ? MOST_TARGETS : 1),
    }),
    'POST /fitur/broadcast/{id}/targets': () => ({ targets: targets(1) }),
    'POST /fitur/schedule': schedule,
    'PATCH /fitur/schedule/{id}': schedule,
    'POST /fitur/schedule/{id}/skip': () => ({ date: farDate, skip: false }),
    'POST /fitur/playlist': () => ({ name: `Daftar ${unique()}`, videos }),
    'PATCH /fitur/playlist/{id}': () => ({ name: `Daftar ${unique()}`, shuffle: true }),
    'POST /fitur/playlist/{id}/items': () => ({ videos: videos.slice(0, 1), index: 0 }),
    'PATCH /fitur/playlist/{id}/items/{itemId}': (n) => ({ index: (n * 7) % PLAYLIST_ITEMS_MAX }),
    'POST /fitur/recording/{id}/video': () => ({ from: 0, to: 8 }),
    'PUT /fitur/analytics/report-mail': (n) => ({ on: n % 2 === 0, zone: 'Asia/Jakarta' }),
    'POST /fitur/alert/read-all': () => ({ upTo: String(filled.newestAlert) }),
    'PUT /fitur/alert/settings': () => DEFAULT_ALERT_SETTINGS,
    'POST /fitur/alert/channel/telegram': () => ({ botToken: `123456:${long(35)}` }),
    'POST /fitur/alert/channel/discord': () => ({ url: `https://discord.com/api/webhooks/${Date.now()}/${long(68)}` }),
    'POST /fitur/alert/channel/push': (n) => ({ subscription: subscription(pushEndpoint(n)) }),
    'POST /fitur/alert/channel/push/remove': (n) => ({ endpoint: pushEndpoint(n) }),
    'PATCH /fitur/alert/channel/{id}': () => ({ name: `Kanal ${unique()}` }),
    'POST /fitur/webhook': webhook,
    'PATCH /fitur/webhook/{id}': webhook,
    'POST /fitur/bigo/add': () => ({ siteId: unique(), name: 'Kamar' }),
    'POST /fitur/tiktok/add': () => ({ token: `token-${unique()}`, name: 'Akun' }),
    'POST /fitur/activity': () => ({ kind: 'viewed-live' }),
  }
}
