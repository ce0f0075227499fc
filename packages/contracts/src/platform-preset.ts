/** What a platform takes. Null: nobody could tell us, so that we find no fault with a video. */
export interface PlatformTakes {
  /** The most, in kilobits per second. */
  readonly videoKbps: number | null
  /** True: what others go by; no page of the platform that we read says it. */
  readonly isKbpsRough: boolean | null
  readonly audioKbps: number | null
  /** The most frames per second. */
  readonly fps: number | null
  /** The most from one key frame to the next. */
  readonly keyframeSeconds: number | null
  /** False: pictures that lean on later ones are refused, or come with a delay. */
  readonly bFrames: boolean | null
  /** The most lines, as in "720p": of the shorter side. */
  readonly shortSide: number | null
  /** True: shown upright, 9:16. */
  readonly upright: boolean | null
  /** As ffprobe calls them. */
  readonly videoCodecs: readonly string[] | null
}

export interface PresetServer {
  readonly place: string
  /** The key comes behind it. */
  readonly url: string
}

export interface PlatformPreset {
  readonly id: string
  readonly name: string
  /** Where its viewers are. */
  readonly region: string
  /** Empty: it gives an address of its own for each channel or each broadcast. */
  readonly servers: readonly PresetServer[]
  /** Where the key is found. */
  readonly keyAt: string
  /** False: each broadcast has a key of its own, so that nobody can begin one without a person. */
  readonly keyLasts: boolean | null
  /** How long one broadcast may last. */
  readonly sessionHours: number | 'unlimited' | null
  /** What it asks of an account. */
  readonly note: string | null
  readonly takes: PlatformTakes
}

const UNKNOWN: PlatformTakes = {
  ...{ videoKbps: null, isKbpsRough: null, audioKbps: null, fps: null, keyframeSeconds: null },
  ...{ bFrames: null, shortSide: null, upright: null, videoCodecs: null },
}

type Known = Pick<PlatformPreset, 'id' | 'name' | 'region' | 'keyAt'> &
  Partial<Pick<PlatformPreset, 'keyLasts' | 'sessionHours' | 'note'>> & {
    servers?: Readonly<Record<string, string>>
    takes?: Partial<PlatformTakes>
  }

/** Whatever a row does not say is not known. */
export const preset = ({ servers = {}, takes, ...known }: Known): PlatformPreset => ({
  ...{ keyLasts: null, sessionHours: null, note: null },
  ...known,
  servers: Object.entries(servers).map(([place, url]) => ({ place, url })),
  takes: { ...UNKNOWN, ...takes },
})

/** Keys may hold `?` and `&`: they are never escaped. */
export const joinTarget = (server: string, key: string): string =>
  `${server.trim().replace(/\/+$/, '')}/${key.trim().replace(/^\/+/, '')}`
