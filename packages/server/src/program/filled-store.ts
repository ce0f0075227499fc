import type { Config } from '../config.ts'
import { BootError } from '../errors.ts'
import { hasReadyVideo } from '../modules/library/ready-sample.ts'
import type { Db } from '../platform/db/database.ts'
import type { Storage } from '../platform/storage/storage.ts'

/**
 * A bucket whose name is mistyped is made, and is empty. A program that went on with it would tell people that their videos are gone, and end
 * their broadcasts.
 */
export async function assertStoreFilled(
  { s3 }: Pick<Config, 's3'>,
  { wasEmpty = false }: Pick<Storage, 'wasEmpty'>,
  db: Db,
): Promise<void> {
  if (!s3 || !wasEmpty || !(await hasReadyVideo(db))) return
  const place = s3.prefix ? `${s3.bucket} has nothing under ${s3.prefix}` : `${s3.bucket} is empty`
  throw new BootError([
    `S3_BUCKET ${place}, and the database has videos. Name the bucket that has them, or copy them there first: npm run siarin -- storage copy --to s3`,
  ])
}
