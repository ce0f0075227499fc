/** Bounds that the form in the browser and the server check alike. */
export const USERNAME_MIN = 3
export const USERNAME_MAX = 40
export const EMAIL_MAX = 254
export const PASSWORD_MIN = 6
/** argon2 costs time per byte; nobody types more than this. */
export const PASSWORD_MAX = 200
export const REQUIRED_EMAIL_DOMAIN = '@gmail.com'

export const STREAM_KEY_MAX = 1024
export const LIVE_TITLE_MAX = 150
export const FILENAME_MAX = 180
export const ACCOUNT_NAME_MAX = 60
export const TARGET_NAME_MAX = 60
export const TARGETS_MAX = 50
export const SITE_ID_MAX = 64
export const TOKEN_MAX = 2048
export const ONLINE_URL_MAX = 4096

/** How long the messages of the screens stay, as the specification has them. */
export const TOAST_MS = 1500
export const GLOBAL_MESSAGE_MS = 3000
export const COPIED_MS = 2000
export const COPIED_AFTER_REGENERATE_MS = 1500
export const UPLOAD_TIMEOUT_MS = 600_000
export const PLAYBACK_DELAY_MS = 100
export const RIPPLE_MS = 600
export const PARTICLE_COUNT = 50

/** More than anybody can look through; a bound for those whose videos are tiny. */
export const VIDEOS_MAX = 5_000
/** How many of them one answer has. */
export const VIDEOS_PAGE_MAX = 100

/** Uploads that one user may have under way, and imports that may wait. */
export const OPEN_UPLOADS_MAX = 10
export const WAITING_IMPORTS_MAX = 100
