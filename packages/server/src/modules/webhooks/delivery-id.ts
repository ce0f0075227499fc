import { randomBytes } from 'node:crypto'

const COUNTS = 36 ** 4
let count = 0

/** In the order of its text they are in the order in which one program made them: the log needs no other. */
export function newDeliveryId(now: number): string {
  count = (count + 1) % COUNTS
  const time = now.toString(36).padStart(9, '0')
  return `msg_${time}${count.toString(36).padStart(4, '0')}${randomBytes(8).toString('hex')}`
}
