import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { isDiskFull } from '../../errors.ts'
import { syncToDisk } from '../../platform/storage/durable.ts'
import { openMeteredFile } from './metered-file.ts'
import type { Reservation } from './reserve-room.ts'
import { diskFull, VideoRefused } from './video-refused.ts'

/** Each file on its way in has a directory of its own below `uploadDir`. */
export function createArrivingFiles(uploadDir: string) {
  const directoryOf = (videoId: string) => join(uploadDir, videoId)
  const arrivalOf = (videoId: string) => join(directoryOf(videoId), 'upload')

  return {
    directoryOf,
    arrivalOf,

    /** Streams a body to disk, never into memory, and stops as soon as there is no more room for it. */
    async write(
      videoId: string,
      body: Readable,
      reservation: Reservation,
      onBytes: (arrived: number) => void = () => {},
    ): Promise<void> {
      await mkdir(directoryOf(videoId), { recursive: true, mode: 0o700 })
      let arrived = 0
      // Counted beside the pipe, not in it: one more stream in between costs a fifth of the speed.
      body.on('data', (chunk: Buffer) => {
        arrived += chunk.length
        onBytes(arrived)
      })
      try {
        await pipeline(body, openMeteredFile(arrivalOf(videoId), reservation))
      } catch (error) {
        throw arrivalFault(error)
      }
    },
  }
}

/** Before its row says that it is here. */
export async function keepThroughPowerCut(file: string): Promise<void> {
  await syncToDisk(file)
  await syncToDisk(dirname(file))
}

function arrivalFault(error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException
  if (isDiskFull(error)) return diskFull()
  if (code === 'ERR_STREAM_PREMATURE_CLOSE' || code === 'ECONNRESET' || code === 'ABORT_ERR') {
    return new VideoRefused('invalid_input', { code: 'cut-off' }, { cause: error })
  }
  return error
}
