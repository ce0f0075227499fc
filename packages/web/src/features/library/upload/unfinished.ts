import type { PreviousUpload, UrlStorage } from 'tus-js-client'

/** The browser's storage, or what a test puts in its place. */
type KeyValues = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>

export interface Unfinished {
  readonly fingerprint: string
  readonly name: string
  readonly uploadUrl: string
}

const PREFIX = 'siarin-upload:'
/** The server throws unfinished uploads away after a day. */
const KEEP_MS = 86_400_000

/** The same file, chosen again by the same person; nobody goes on with the upload of another. */
export const fingerprintOf = (file: File, owner: string): string =>
  [owner, file.lastModified, file.size, file.name].join('|')

interface Entry extends PreviousUpload {
  touchedAt: number
}

function parse(stored: string | null): Entry | null {
  try {
    const value: unknown = JSON.parse(stored ?? 'null')
    if (typeof value !== 'object' || value === null || !('uploadUrl' in value) || !('touchedAt' in value)) return null
    return typeof value.uploadUrl === 'string' && typeof value.touchedAt === 'number' ? (value as Entry) : null
  } catch {
    return null
  }
}

/** Which uploads an earlier visit left unfinished, so that choosing the same file goes on. A browser that stores nothing only loses this. */
export function createUnfinishedUploads(storage: () => KeyValues, now: () => number = Date.now) {
  const guarded = <T>(fallback: T, work: (store: KeyValues) => T): T => {
    try {
      return work(storage())
    } catch {
      return fallback
    }
  }

  const find = (fingerprint: string): Entry | null =>
    guarded(null, (store) => {
      const entry = parse(store.getItem(PREFIX + fingerprint))
      return entry && now() - entry.touchedAt < KEEP_MS ? entry : null
    })

  const forget = (fingerprint: string): void => guarded(undefined, (store) => store.removeItem(PREFIX + fingerprint))

  const put = (fingerprint: string, upload: PreviousUpload): void =>
    guarded(undefined, (store) => store.setItem(PREFIX + fingerprint, JSON.stringify({ ...upload, touchedAt: now() })))

  const fingerprints = (): string[] =>
    guarded([], (store) =>
      Array.from({ length: store.length }, (_, index) => store.key(index) ?? '')
        .filter((key) => key.startsWith(PREFIX))
        .map((key) => key.slice(PREFIX.length)),
    )

  const urlStorage: UrlStorage = {
    findAllUploads: async () => [],
    findUploadsByFingerprint: async (fingerprint) => {
      const entry = find(fingerprint)
      return entry ? [{ ...entry, urlStorageKey: fingerprint }] : []
    },
    addUpload: async (fingerprint, upload) => {
      put(fingerprint, upload)
      return fingerprint
    },
    removeUpload: async (fingerprint) => forget(fingerprint),
  }

  return {
    urlStorage,
    forget,
    has: (fingerprint: string): boolean => find(fingerprint) !== null,
    /** The server has heard of it just now and keeps it for another while. */
    touch(fingerprint: string): void {
      const entry = find(fingerprint)
      if (entry) put(fingerprint, entry)
    },
    of(owner: string): Unfinished[] {
      return fingerprints().flatMap((fingerprint) => {
        if (!fingerprint.startsWith(`${owner}|`)) return []
        const entry = find(fingerprint)
        if (!entry) forget(fingerprint)
        return entry?.uploadUrl
          ? [{ fingerprint, name: entry.metadata?.['filename'] ?? '', uploadUrl: entry.uploadUrl }]
          : []
      })
    },
  }
}

export type UnfinishedUploads = ReturnType<typeof createUnfinishedUploads>
