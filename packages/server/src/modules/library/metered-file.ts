import fs, { type WriteStream } from 'node:fs'
import { createEarlyFlush } from './early-flush.ts'
import type { Reservation } from './reserve-room.ts'

/** What comes while a write is under way goes with the next: a few large writes cost less than many of a socket's 64 KiB. */
const WRITE_BUFFER_BYTES = 1024 ** 2

type Done = (error: Error | null, written?: number, ...rest: unknown[]) => void

const sizeOf = (buffers: readonly Buffer[]): number => buffers.reduce((sum, { length }) => sum + length, 0)

/**
 * Gives the memory of a piece that has been written back at once. Left to the garbage collector, the pieces of one gigabyte make it look
 * through everything that the program holds fifty times, which takes longer than receiving them. A piece that shares its memory is left.
 */
function giveBack({ buffer, length }: Buffer): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === length) buffer.transfer(0)
}

/**
 * A file that takes over what it is given and asks whether there is room before it grows. It asks within the write itself: whatever sends is held back meanwhile, and one
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
  const flush = createEarlyFlush(start, (error) => file.destroy(error))

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
    (fd: number, buffers: readonly Buffer[], done: Done): Done =>
    (error, bytes = 0, ...rest) => {
      landed += bytes
      wrote(landed)
      flush.landed(fd, landed)
      const isWhole = bytes === sizeOf(buffers)
      done(error, bytes, ...rest)
      if (isWhole) buffers.forEach(giveBack)
    }

  const file = fs.createWriteStream(path, {
    flags,
    start,
    highWaterMark: WRITE_BUFFER_BYTES,
    fs: {
      open: fs.open,
      close: (fd: number, done: fs.NoParamCallback) => flush.afterwards(() => fs.close(fd, done)),
      write: (fd: number, buffer: Buffer, offset: number, length: number, position: number | null, done: Done) =>
        admitting(length, () => fs.write(fd, buffer, offset, length, position, telling(fd, [buffer], done)), done),
      writev: (fd: number, buffers: Buffer[], position: number | null, done: Done) =>
        admitting(
          sizeOf(buffers),
          () => {
            const told = telling(fd, buffers, done)
            if (position === null) fs.writev(fd, buffers, told)
            else fs.writev(fd, buffers, position, told)
          },
          done,
        ),
    },
  })
  return file
}
