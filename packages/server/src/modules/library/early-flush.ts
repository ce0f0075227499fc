import fs from 'node:fs'

/** Small enough that the last of them is soon on the disk, large enough that a disk that turns is not kept busy seeking. */
const STEP_BYTES = 32 * 1024 ** 2

/** A flush holds a thread of Node's pool for as long as the disk takes: names, files and passwords need the others. */
const AT_ONCE = 2
let running = 0

/**
 * Sends what has landed to the disk while more comes. The system would leave a gigabyte in memory, and the sender would wait at the end until
 * all of it is on the disk. It keeps nothing by itself: the last call for the file is somebody else's.
 */
export function createEarlyFlush(start: number, onFault: (error: Error) => void) {
  let flushed = start
  let isUnderWay = false
  let next = () => {}

  return {
    landed(fd: number, upTo: number): void {
      if (upTo - flushed < STEP_BYTES || isUnderWay || running >= AT_ONCE) return
      flushed = upTo
      isUnderWay = true
      running++
      fs.fdatasync(fd, (error) => {
        running--
        isUnderWay = false
        // The system tells of a lost write once: a later caller would hear that all is well.
        if (error) onFault(error)
        next()
      })
    },
    /** The number of an open file must not be given to another one meanwhile. */
    afterwards(work: () => void): void {
      if (isUnderWay) next = work
      else work()
    },
  }
}
