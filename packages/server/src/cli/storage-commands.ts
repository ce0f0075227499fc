import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { BootError } from '../errors.ts'
import { type FolderCommand, Refusal, textOf, UsageError } from './command.ts'
import { plainBytes } from './tables.ts'

const SAID_EVERY_MS = 5_000

export const storageCopy: FolderCommand = {
  name: 'storage copy',
  args: [],
  summary: 'copy the videos of DATA_DIR/media to the S3 store, also while the server runs',
  details: [
    'The folder stays as it is. What the store has with the same length is not sent again: after an interruption, and once more',
    'when the server has been stopped, it sends only what is missing. See docs/operations.md, Moving videos to S3.',
  ],
  options: { to: { value: 's3', help: 'where to: the store that S3_ENDPOINT and the other S3_* settings name' } },
  examples: ['storage copy --to s3'],
  prepareOnFolder(args) {
    if (textOf(args, 'to') !== 's3') throw new UsageError('say where to: --to s3')
    return async ({ dataDir, s3 }, _env, report) => {
      if (!s3)
        throw new Refusal(
          'no store is named: set S3_ENDPOINT, S3_REGION, S3_BUCKET, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY',
        )
      const media = join(dataDir, 'media')
      // To say that nothing had to be copied would let somebody go on without the videos.
      if (!existsSync(media)) throw new Refusal(`there is no ${media}. Set DATA_DIR to the server's folder`)
      // Loaded here: the other commands have no use for it.
      const { copyToS3 } = await import('../platform/storage/copy-to-s3.ts')
      let saidAt = Date.now()
      const copied = await copyToS3(media, s3, (done, all) => {
        if (Date.now() - saidAt < SAID_EVERY_MS) return
        saidAt = Date.now()
        report(`${done.files} of ${all.files} files, ${plainBytes(done.bytes)} of ${plainBytes(all.bytes)}`)
      }).catch((error) => {
        if (error instanceof BootError) throw error
        throw new Refusal(`the copy broke off (${(error as Error).message}). Call it again: it goes on where it was`)
      })
      const { files, bytes, alreadyThere } = copied
      return {
        json: { bucket: s3.bucket, prefix: s3.prefix, files, bytes, alreadyThere },
        text: `Copied ${files} files (${plainBytes(bytes)}) to the bucket ${s3.bucket}; ${alreadyThere} were there already.`,
      }
    }
  },
}
