/** The targets of the Go form. Platforms change their addresses: they stand here and nowhere else. */
export const PLATFORMS = ['facebook', 'tiktok', 'youtube', 'lain'] as const
export type Platform = (typeof PLATFORMS)[number]

export interface PlatformFacts {
  readonly label: string
  /** Where a bare stream key is sent; null: the platform gives a whole address per broadcast. */
  readonly ingestBase: string | null
  /** How long one session may last before the platform cuts it; null: as long as it likes. */
  readonly sessionHours: number | null
}

export const PLATFORM_FACTS: Record<Platform, PlatformFacts> = {
  facebook: { label: 'Facebook', ingestBase: 'rtmps://live-api-s.facebook.com:443/rtmp/', sessionHours: 8 },
  tiktok: { label: 'TikTok', ingestBase: null, sessionHours: null },
  youtube: { label: 'YouTube', ingestBase: 'rtmps://a.rtmps.youtube.com:443/live2/', sessionHours: null },
  lain: { label: 'Lainnya', ingestBase: null, sessionHours: null },
}
