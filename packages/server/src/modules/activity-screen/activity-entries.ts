import type { ActivityEntry, ActivityStatus } from '@siarin/contracts/activity'
import { PLATFORM_FACTS } from '@siarin/contracts/platforms'
import type { ActiveStream, EndedStream } from '@siarin/contracts/streams'
import type { StreamReason } from '@siarin/media/parse/exit-reason'
import type { ActivityRow } from '../activity/activity.repo.ts'
import type { ActivityKind } from '../activity/activity-kinds.ts'

const TEXTS: Record<ActivityKind, string> = {
  registered: 'Akun dibuat',
  login: 'Login',
  'login-failed': 'Login gagal',
  logout: 'Keluar',
  'session-ended': 'Perangkat lain dikeluarkan',
  'api-key-changed': 'API key diganti',
  'password-changed': 'Password diganti',
  'password-wrong': 'Konfirmasi password salah',
  'username-changed': 'Username diganti',
  'email-verified': 'Alamat email dipastikan',
  'password-by-link': 'Password diganti lewat tautan',
  'second-factor-on': 'Verifikasi dua langkah diaktifkan',
  'second-factor-off': 'Verifikasi dua langkah dimatikan',
  'second-factor-wrong': 'Kode verifikasi salah',
  'second-factor-asked': 'Password benar, kode verifikasi diminta',
  'recovery-code-used': 'Kode pemulihan dipakai',
  'recovery-codes-new': 'Kode pemulihan baru dibuat',
  'videos-cleared': 'Video dihapus 14 hari setelah paket berakhir',
  'schedule-missed': 'Siaran terjadwal terlewat',
  'schedule-failed': 'Siaran terjadwal tidak bisa dimulai',
  'schedule-late': 'Siaran terjadwal mulai terlambat',
  'viewed-live': 'Membuka halaman Live',
  'account-added': 'Akun platform ditambahkan',
  'account-removed': 'Akun platform dihapus',
  'target-added': 'Tujuan siaran disimpan',
  'target-changed': 'Tujuan siaran diubah',
  'target-removed': 'Tujuan siaran dihapus',
  'target-tested': 'Tujuan siaran diuji',
  'alert-channel-added': 'Saluran notifikasi dihubungkan',
  'alert-channel-removed': 'Saluran notifikasi dihapus',
  'webhook-added': 'Webhook dibuat',
  'webhook-changed': 'Webhook diubah',
  'webhook-removed': 'Webhook dihapus',
  'webhook-secret-changed': 'Signing secret webhook diganti',
  'webhook-disabled': 'Webhook dimatikan karena penerimanya gagal',
  'plan-changed': 'Paket diubah',
  'credit-changed': 'Kredit diubah',
  suspended: 'Akun dihentikan',
  resumed: 'Akun diaktifkan lagi',
  'password-reset': 'Password direset',
  'reset-link-made': 'Tautan password baru dibuat administrator',
  'second-factor-reset': 'Verifikasi dua langkah dimatikan administrator',
  'sessions-ended': 'Perangkat dikeluarkan administrator',
  'stream-stop-asked': 'Siaran dihentikan administrator',
}

const STATUSES: Record<string, ActivityStatus> = { ok: 'Berhasil', failed: 'Gagal' }

const isoOf = (ms: number): string => new Date(ms).toISOString()

/** `known`: the devices with which this user has logged in. */
function toEntry(row: ActivityRow, known: ReadonlySet<string>): ActivityEntry {
  const stranger = row.kind === 'login-failed' && !known.has(row.device)
  return {
    id: row.id,
    kind: row.kind,
    text: stranger ? 'Login gagal dari perangkat tak dikenal' : (TEXTS[row.kind as ActivityKind] ?? row.kind),
    detail: row.detail,
    status: STATUSES[row.status] ?? 'Pending',
    at: isoOf(row.at),
    device: row.device || null,
    address: row.address || null,
  }
}

export function toEntries(rows: readonly ActivityRow[]): ActivityEntry[] {
  const known = new Set(rows.flatMap(({ kind, device }) => (kind === 'login' ? [device] : [])))
  return rows.map((row) => toEntry(row, known))
}

type Broadcast = Pick<ActiveStream, 'streamId' | 'title' | 'source' | 'platform'>

const entryOf = (
  stream: Broadcast,
  happened: Pick<ActivityEntry, 'kind' | 'text' | 'status' | 'at'>,
): ActivityEntry => ({
  id: `${stream.streamId}-${happened.kind}`,
  detail: `${stream.title || stream.source} · ${PLATFORM_FACTS[stream.platform].label}`,
  device: null,
  address: null,
  ...happened,
})

/** A broadcast that is wanted: its start is pending for as long as it is not on air. */
export const activeEntries = (stream: ActiveStream): ActivityEntry[] => [
  entryOf(stream, {
    kind: 'stream-started',
    text: 'Siaran dimulai',
    status: stream.state === 'live' || stream.state === 'stopping' ? 'Berhasil' : 'Pending',
    at: stream.startedAt,
  }),
]

/** `reasonCode`: why it ended, where somebody or something else than its owner ended it. */
export type EndedBroadcast = EndedStream & { readonly reasonCode: string | null }

const BY_OPERATOR: StreamReason = 'operator'

/** One that has ended: its start where it was on air at all, and its end, unless the operator's own entry tells that with a name. */
export function endedEntries(stream: EndedBroadcast): ActivityEntry[] {
  const failed = stream.ended === 'failed'
  const end = entryOf(stream, {
    kind: failed ? 'stream-failed' : 'stream-stopped',
    text: failed ? 'Siaran gagal' : stream.ended === 'finished' ? 'Siaran selesai' : 'Siaran dihentikan',
    status: failed ? 'Gagal' : 'Berhasil',
    at: stream.endedAt,
  })
  const ends = stream.reasonCode === BY_OPERATOR ? [] : [end]
  if (stream.onAirSeconds === 0 && stream.onAirPercent === 0) return ends
  return [
    ...ends,
    entryOf(stream, { kind: 'stream-started', text: 'Siaran dimulai', status: 'Berhasil', at: stream.startedAt }),
  ]
}
