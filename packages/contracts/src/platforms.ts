/** The targets of the Go form. Platforms change their addresses: they stand here and nowhere else. */
export const PLATFORMS = ['facebook', 'tiktok', 'youtube', 'lain'] as const
export type Platform = (typeof PLATFORMS)[number]

export interface PlatformFacts {
  readonly label: string
  /** Where a bare stream key is sent; null: the platform gives a whole address per broadcast. */
  readonly ingestBase: string | null
}

export const PLATFORM_FACTS: Record<Platform, PlatformFacts> = {
  facebook: { label: 'Facebook', ingestBase: 'rtmps://live-api-s.facebook.com:443/rtmp/' },
  tiktok: { label: 'TikTok', ingestBase: null },
  youtube: { label: 'YouTube', ingestBase: 'rtmps://a.rtmps.youtube.com:443/live2/' },
  lain: { label: 'Lainnya', ingestBase: null },
}
