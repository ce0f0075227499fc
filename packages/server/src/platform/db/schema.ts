import type { Generated } from 'kysely'
import type { MachineShortage } from '../process/machine-load.ts'
import type { PushKeyTable, TelegramBotTable, TelegramLinkTable } from './tables/alert-channels.ts'
import type {
  AlertChannelTable,
  AlertDeliveryTable,
  AlertIncidentTable,
  AlertSettingsTable,
  AlertTable,
} from './tables/alerts.ts'
import type {
  StatBroadcastTable,
  StatPlaceTable,
  StatReportTable,
  StatRollupTable,
  StatSampleTable,
  StatSpanTable,
  StatStreamTable,
  StatSumTable,
} from './tables/analytics.ts'
import type { BrandKitTable, BrandLookTable } from './tables/branding.ts'
import type { BroadcastTable, StreamEventTable, StreamTable, WorkerLeaseTable } from './tables/broadcasts.ts'
import type { LowRoomTable } from './tables/low-rooms.ts'
import type { MachineFigureTable } from './tables/machine-figures.ts'
import type { OutboxReadersTable, OutboxTable } from './tables/outbox.ts'
import type { OnlineSourceTable, PlatformAccountTable, PlatformBroadcastTable } from './tables/platforms.ts'
import type { PlaylistItemTable, PlaylistTable } from './tables/playlists.ts'
import type {
  FileFactTable,
  RecordingChunkTable,
  RecordingFileTable,
  RecordingLineTable,
  RecordingPartsTable,
  RecordingTable,
  SentPieceTable,
} from './tables/recordings.ts'
import type { StorageRemovalTable, UploadLockTable } from './tables/remote-storage.ts'
import type { RenditionOrderTable, RenditionTable } from './tables/renditions.ts'
import type { ScheduleClockTable, ScheduleOccurrenceTable, ScheduleTable } from './tables/schedules.ts'
import type { TargetTable } from './tables/targets.ts'
import type { VideoUseTable } from './tables/video-uses.ts'
import type { WebhookDeliveryTable, WebhookEndpointTable } from './tables/webhooks.ts'

/** Portable columns only: text ids, integers for milliseconds and flags, JSON as text. */
export interface Database {
  users: UserTable
  sessions: SessionTable
  known_devices: KnownDeviceTable
  second_factors: SecondFactorTable
  recovery_codes: RecoveryCodeTable
  mail_links: MailLinkTable
  activity: ActivityTable
  videos: VideoTable
  renditions: RenditionTable
  rendition_orders: RenditionOrderTable
  broadcasts: BroadcastTable
  streams: StreamTable
  stream_events: StreamEventTable
  sent_pieces: SentPieceTable
  recordings: RecordingTable
  brand_kits: BrandKitTable
  brand_looks: BrandLookTable
  storage_removals: StorageRemovalTable
  upload_locks: UploadLockTable
  recording_files: RecordingFileTable
  recording_lines: RecordingLineTable
  recording_chunks: RecordingChunkTable
  recording_parts: RecordingPartsTable
  file_facts: FileFactTable
  workers: WorkerTable
  worker_leases: WorkerLeaseTable
  machine_figures: MachineFigureTable
  article_views: ArticleViewTable
  platform_accounts: PlatformAccountTable
  online_sources: OnlineSourceTable
  platform_broadcasts: PlatformBroadcastTable
  upload_reservations: UploadReservationTable
  outbox: OutboxTable
  outbox_readers: OutboxReadersTable
  video_uses: VideoUseTable
  low_rooms: LowRoomTable
  targets: TargetTable
  schedules: ScheduleTable
  schedule_occurrences: ScheduleOccurrenceTable
  schedule_clocks: ScheduleClockTable
  playlists: PlaylistTable
  playlist_items: PlaylistItemTable
  stat_broadcasts: StatBroadcastTable
  stat_streams: StatStreamTable
  stat_spans: StatSpanTable
  stat_sums: StatSumTable
  stat_samples: StatSampleTable
  stat_minutes: StatRollupTable
  stat_hours: StatRollupTable
  stat_places: StatPlaceTable
  stat_reports: StatReportTable
  alert_settings: AlertSettingsTable
  alert_incidents: AlertIncidentTable
  alerts: AlertTable
  alert_channels: AlertChannelTable
  alert_deliveries: AlertDeliveryTable
  telegram_links: TelegramLinkTable
  telegram_bots: TelegramBotTable
  push_keys: PushKeyTable
  webhook_endpoints: WebhookEndpointTable
  webhook_deliveries: WebhookDeliveryTable
}

export interface UserTable {
  id: string
  username: string
  /** The name without case: what is unique. */
  username_key: string
  email: string
  /** When a link that was sent there came back; null: not yet. */
  email_verified_at: number | null
  /** When the person with the password was shown to have the mailbox too; null: whatever is in the account may be a stranger's. */
  owner_proved_at: number | null
  password_hash: string
  api_key_hash: string
  api_key_sealed: string
  credit: Generated<number>
  plan: Generated<string>
  /** When a paid plan was given; null for a trial, which counts from the registration. */
  plan_since: number | null
  /** When a paid plan runs out; null: never. The trial's end follows from the registration. */
  plan_until: number | null
  suspended_at: number | null
  /** The operator's reason, for its owner to read. */
  suspended_for: string | null
  /** When the videos were deleted after the plan's end. */
  videos_deleted_at: number | null
  /** When it was first noticed that the plan has ended; null while it runs. */
  ended_seen_at: number | null
  ended_checked_at: number | null
  /** The end of the plan that its owner was told of last, and how far: see `dueNotice` of plans. */
  plan_told_until: number | null
  plan_told_step: Generated<number>
  created_at: number
  /** When its owner deleted the account: nobody gets in any more, and what is left of it goes. */
  deleting_at: number | null
}

export interface SessionTable {
  id: string
  user_id: string
  token_hash: string
  created_at: number
  last_seen_at: number
  ended_at: number | null
  address: string
  device: string
  /** The id in `known_devices`; null: begun before devices were kept. */
  device_id: string | null
  /** When its owner last typed the password in it. */
  confirmed_at: number | null
}

/** A browser with which somebody has logged in to an account. */
export interface KnownDeviceTable {
  id: string
  user_id: string
  /** The hash of the cookie by which the browser is known again. */
  token_hash: string
  /** Since when it counts as the owner's own; null: it does not yet. */
  trusted_at: number | null
  created_at: number
  last_seen_at: number
}

/** An authenticator app beside the password. */
export interface SecondFactorTable {
  user_id: string
  secret_sealed: string
  /** The step of the last code that counted: each counts once. */
  last_step: Generated<number>
  /** Null: it was shown, and no code of it has come back yet. */
  confirmed_at: number | null
  created_at: number
}

/** For the day on which the app is lost. */
interface RecoveryCodeTable {
  id: string
  user_id: string
  code_mark: string
  used_at: number | null
}

/** A link that was sent by e-mail, or made by the operator, and has not been used. */
interface MailLinkTable {
  id: string
  user_id: string
  /** See `LinkKind` of identity. */
  kind: string
  token_hash: string
  created_at: number
  expires_at: number
}

export interface ActivityTable {
  id: string
  user_id: string
  kind: string
  status: string
  address: string
  device: string
  at: number
  /** To what it happened: a name. */
  detail: string | null
}

export interface VideoTable {
  id: string
  user_id: string
  filename: string
  status: string
  /** What is being done while it is processing; see `Video` in contracts. */
  step: string | null
  progress: number | null
  seconds_left: number | null
  /** 'long' once it is known that it takes hours, see library/lanes.ts; null otherwise. */
  lane: string | null
  /** Why it failed, and what to know of one that is ready: see `storedForm` in contracts/video-reasons. */
  reason: string | null
  warning: string | null
  /** What the user gave us, kept as it came; null until it has arrived. */
  original_key: string | null
  original_bytes: number
  /** What the version before knows of its master: written with the rendition, and read only to follow that version, see renditions.repo. */
  master_key: string | null
  master_bytes: Generated<number>
  thumbnail_key: string | null
  /** The original's, until there is a master, which has its own. */
  content_type: string
  /** Where an import comes from, sealed: such addresses carry tokens. */
  import_url_sealed: string | null
  duration_ms: number | null
  width: number | null
  height: number | null
  fps: number | null
  video_codec: string | null
  audio_codec: string | null
  /** What the original has at best (see media/picture-gain); null: prepared before this was kept. */
  original_height: number | null
  original_fps: number | null
  created_at: number
}

/** Workers on machines of their own, for the program that admits new streams. */
interface WorkerTable {
  name: string
  /** How many more streams it would take. */
  room: number
  /** What its machine has too little of for one more; null: nothing. */
  short_of: MachineShortage | null
  seen_at: number
}

interface ArticleViewTable {
  slug: string
  views: number
}

/** Bytes that are on their way in, which take room before there is a video. */
interface UploadReservationTable {
  /** The id of the video, or of the tus upload. */
  id: string
  user_id: string
  kind: 'multipart' | 'tus' | 'import'
  bytes: number
  /** Its holder says so again and again; what a crash left counts no longer. */
  held_until: number
}
