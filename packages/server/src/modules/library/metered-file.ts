import fs, { type WriteStream } from 'node:fs'
import type { Reservation } from './reserve-room.ts'

const WRITE_BUFFER_BYTES = 256 * 1024

type Done = (error: Error | null, written?: number, ...rest: unknown[]) => void

/**
 * A file that asks whether there is room before it grows. It asks within the write itself: whatever sends is held back meanwhile, and one
 * more stream in between would cost a fifth of the speed.
 */
export function openMeteredFile(
  path: string,
  { admit, wrote }: Pick<Reservation, 'admit' | 'wrote'>,
  { flags = 'w', start = 0 }: { flags?: string; start?: number } = {},
): WriteStream {
  let written = start
  let admitted = start
  let landed = start

  function admitting(bytes: number, write: () => void, done: Done): void {
    written += bytes
    if (written <= admitted) {
      write()
      return
    }
    admit(written).then((upTo) => {
      admitted = upTo
      write()
    }, done)
  }

  const telling =
    (done: Done): Done =>
    (error, bytes = 0, ...rest) => {
      landed += bytes
      wrote(landed)
      done(error, bytes, ...rest)
    }

  return fs.createWriteStream(path, {
    flags,
    start,
    highWaterMark: WRITE_BUFFER_BYTES,
    fs: {
      open: fs.open,
      close: fs.close,
      write: (fd: number, buffer: Buffer, offset: number, length: number, position: number | null, done: Done) =>
        admitting(length, () => fs.write(fd, buffer, offset, length, position, telling(done)), done),
      writev: (fd: number, buffers: Buffer[], position: number | null, done: Done) =>
        admitting(
          buffers.reduce((sum, { length }) => sum + length, 0),
          () =>
            position === null ? fs.writev(fd, buffers, telling(done)) : fs.writev(fd, buffers, position, telling(done)),
          done,
        ),
    },
  })
}
