import { ACCOUNT_CALLS } from './account-calls.ts'
import { ALERT_CALLS } from './alert-calls.ts'
import { ANALYTICS_CALLS } from './analytics-calls.ts'
import type { ApiGroup } from './api-call.ts'
import { BRANDING_CALLS } from './branding-calls.ts'
import { BROADCAST_CALLS } from './broadcast-calls.ts'
import { ONLINE_CALLS } from './online-calls.ts'
import { PLAYLIST_CALLS } from './playlist-calls.ts'
import { RECORDING_CALLS } from './recording-calls.ts'
import { SCHEDULE_CALLS } from './schedule-calls.ts'
import { SESSION_CALLS } from './session-calls.ts'
import { STATUS_CALLS } from './status-calls.ts'
import { STREAM_CALLS } from './stream-calls.ts'
import { TARGET_CALLS } from './target-calls.ts'
import { VIDEO_CALLS } from './video-calls.ts'
import { WEBHOOK_CALLS } from './webhook-calls.ts'

/** Every call of the server, in the order in which one needs them. */
export const API_GROUPS: readonly ApiGroup[] = [
  VIDEO_CALLS,
  STREAM_CALLS,
  TARGET_CALLS,
  BROADCAST_CALLS,
  SCHEDULE_CALLS,
  ANALYTICS_CALLS,
  PLAYLIST_CALLS,
  RECORDING_CALLS,
  BRANDING_CALLS,
  ALERT_CALLS,
  WEBHOOK_CALLS,
  ACCOUNT_CALLS,
  ONLINE_CALLS,
  STATUS_CALLS,
  SESSION_CALLS,
]
