import type { AccountListAnswer } from '@siarin/contracts/accounts'
import type { ActivityListAnswer } from '@siarin/contracts/activity'
import type { ProfileAnswer, SessionsAnswer, SessionUser } from '@siarin/contracts/auth'
import type { PublicSettings } from '@siarin/contracts/settings'
import type { StandingAnswer } from '@siarin/contracts/standing'
import type { ActiveStreamsAnswer, StreamHistoryAnswer } from '@siarin/contracts/streams'
import type { SystemStatusAnswer } from '@siarin/contracts/system'
import type { VideoListAnswer } from '@siarin/contracts/videos'
import type { Answering } from './fake-server.ts'

const SERVER = 'http://siarin.test'
const AT = '2026-01-15T12:30:00.000Z'

export const TOKEN = 'token-of-rina'
export const USER: SessionUser = { username: 'rina', email: 'rina@gmail.com', apiKey: 'key-of-rina', server: SERVER }

export const SETTINGS: PublicSettings = {
  brand: 'Siarin',
  whatsappNumber: '6281234567890',
  trialDays: 7,
  server: SERVER,
  videoServiceUrl: '',
  sendsMail: false,
  year: 2026,
}

export const PROFILE: ProfileAnswer = {
  success: true,
  message: '',
  data: {
    ...USER,
    apiKeyHidden: false,
    emailVerified: false,
    createdAt: AT,
    plan: 'free-trial',
    credit: 0,
    activeSession: { lastLogin: AT },
  },
}

const standing: StandingAnswer = {
  success: true,
  message: '',
  data: {
    plan: 'free-trial',
    state: 'active',
    endsAt: null,
    stopsAt: null,
    endsSoon: false,
    videosDeletedAt: null,
    suspendedFor: null,
    enforced: true,
  },
}

const sessions: SessionsAnswer = {
  success: true,
  message: '',
  data: [{ id: 's1', device: 'Chrome', address: '10.0.0.1', createdAt: AT, lastSeenAt: AT, current: true }],
}

export const STATUS: SystemStatusAnswer = {
  success: true,
  message: '',
  cpu: { usage: 12.5 },
  memory: { total: 8 * 1024 ** 3, used: 2 * 1024 ** 3, usage: 25 },
  disk: {
    size: 100 * 1024 ** 3,
    used: 20 * 1024 ** 3,
    available: 30 * 1024 ** 3,
    usage: 40,
    type: 'ext4',
    filesystem: '/dev/vda1',
  },
  history: { everySeconds: 5, cpu: [10, 12.5], memory: [25, 25], disk: [40, 40] },
}

const videos: VideoListAnswer = {
  success: true,
  message: '',
  data: [],
  storage: { used: 0, limit: 20 * 1024 ** 3 },
  nextCursor: null,
}
const active: ActiveStreamsAnswer = { success: true, message: 'Tidak ada live stream aktif.', streams: [] }
const history: StreamHistoryAnswer = { success: true, message: '', streams: [] }
const activity: ActivityListAnswer = { success: true, message: '', data: [] }
const accounts = (message: string): AccountListAnswer => ({ success: true, message, data: [] })

/** What the server says to somebody new. */
export const defaultAnswers = (): Record<string, Answering> => ({
  'GET /auth/profile': { json: PROFILE },
  'GET /auth/plan': { json: standing },
  'GET /auth/sessions': { json: sessions },
  'GET /auth/second-factor': { json: { success: true, message: '', data: { enabled: false, recoveryCodesLeft: 0 } } },
  'POST /fitur/video/ticket': {
    json: { success: true, message: '', data: { ticket: 'ticket-of-rina', expiresAt: '2126-01-01T00:00:00.000Z' } },
  },
  'POST /auth/logout': { json: { success: true, message: 'Logged out.' } },
  'GET /fitur/system/status': { json: STATUS },
  'GET /fitur/video': { json: videos },
  'GET /fitur/steam/active': { json: active },
  'GET /fitur/steam/history': { json: history },
  'GET /fitur/target': { json: { success: true, message: '', data: [], nextCursor: null } },
  'GET /fitur/schedule/upcoming': { json: { success: true, message: '', data: [], more: false } },
  'GET /fitur/alert/unread': { json: { success: true, message: '', data: { unread: 0, newestId: null } } },
  'GET /fitur/alert': { json: { success: true, message: '', data: [], nextCursor: null, unread: 0 } },
  'GET /fitur/activity': { json: activity },
  'POST /fitur/activity': { json: { success: true, message: '' } },
  'GET /fitur/online': { json: { success: true, message: '', data: [] } },
  'GET /fitur/bigo/live': { json: { success: true, message: '', data: [] } },
  'GET /fitur/bigo/accounts': { json: accounts('Anda belum memasukan akun bigo.') },
  'GET /fitur/tiktok/accounts': { json: accounts('Anda belum memasukan akun tiktok.') },
})
