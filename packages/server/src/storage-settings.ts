import { join } from 'node:path'
import type { Secret } from '@siarin/media/secret'

interface StorageEnvironment {
  readonly DATA_DIR: string
  readonly S3_ENDPOINT?: string | undefined
  readonly S3_REGION?: string | undefined
  readonly S3_BUCKET?: string | undefined
  readonly S3_ACCESS_KEY_ID?: string | undefined
  readonly S3_SECRET_ACCESS_KEY?: Secret | undefined
  readonly S3_PREFIX?: string | undefined
  readonly CACHE_DIR?: string | undefined
  readonly CACHE_MAX_GB?: number | undefined
}

const S3_SETTINGS = ['S3_ENDPOINT', 'S3_REGION', 'S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY']

/** A store is named whole or not at all. */
export function s3Faults(given: Readonly<Record<string, string>>): string[] {
  const missing = S3_SETTINGS.filter((name) => !given[name])
  if (missing.length === 0 || ![...S3_SETTINGS, 'S3_PREFIX'].some((name) => given[name])) return []
  return [`${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} needed too: set all of S3_* or none`]
}

/** Where videos are kept; `s3` null: in DATA_DIR/media. */
export function storageSettings(settings: StorageEnvironment) {
  const { S3_ENDPOINT: endpoint, S3_REGION: region, S3_BUCKET: bucket, S3_PREFIX: prefix = '' } = settings
  const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = settings
  const isNamed = endpoint && region && bucket && accessKeyId && secretAccessKey
  return {
    s3: isNamed ? { endpoint, region, bucket, accessKeyId, secretAccessKey, prefix } : null,
    cache: {
      dir: settings.CACHE_DIR ?? join(settings.DATA_DIR, 'cache'),
      /** Null: half of its disk. */
      maxBytes: settings.CACHE_MAX_GB === undefined ? null : settings.CACHE_MAX_GB * 1024 ** 3,
    },
  }
}
