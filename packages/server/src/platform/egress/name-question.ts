import ipaddr from 'ipaddr.js'

export type AddressKind = 'A' | 'AAAA'

/** A question to a name server, as it stands in the packet and again in each answer to it. */
export interface NameQuestion {
  readonly kind: AddressKind
  readonly section: Buffer
}

/** What all networks carry in one packet. A server sends as much when it is told so, else 512. */
const MOST_BYTES = 1_232
/** So many of one kind. Each of them is judged and remembered. */
const MOST_ADDRESSES = 16
const KINDS = { A: { type: 1, bytes: 4 }, AAAA: { type: 28, bytes: 16 } } as const
const INTERNET = 1
const HEADER_BYTES = 12
const RECURSION_DESIRED = 0x0100
const TRUNCATED = 0x0200
const NAME_ERROR = 3
/** A record without a name (1 byte) of type 41 (2), with the size in place of a class (2) and nothing else (6): EDNS0. */
const SIZE_RECORD = Buffer.from([0, 0, 41, MOST_BYTES >> 8, MOST_BYTES & 0xff, 0, 0, 0, 0, 0, 0])

/** Null: there can be no such name. */
export function questionOf(name: string, kind: AddressKind): NameQuestion | null {
  const bare = name.replace(/\.$/, '')
  const labels = bare.split('.')
  if (!/^[!-~]{1,253}$/.test(bare) || labels.some(({ length }) => length === 0 || length > 63)) return null
  const written = labels.map((label) => String.fromCharCode(label.length) + label).join('')
  return { kind, section: Buffer.from(`${written}\0\0${String.fromCharCode(KINDS[kind].type)}\0\x01`, 'latin1') }
}

/** `tellsSize`: servers from before 1999 do not understand it. */
export function packetOf({ section }: NameQuestion, id: number, tellsSize: boolean): Buffer {
  const header = Buffer.alloc(HEADER_BYTES)
  header.writeUInt16BE(id, 0)
  header.writeUInt16BE(RECURSION_DESIRED, 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(tellsSize ? 1 : 0, 10)
  return Buffer.concat([header, section, ...(tellsSize ? [SIZE_RECORD] : [])])
}

export function isAnswerTo(message: Buffer, { section }: NameQuestion, id: number): boolean {
  const end = HEADER_BYTES + section.length
  if (message.length < end || message.readUInt16BE(0) !== id) return false
  // A response, to one plain question.
  if (message.readUInt16BE(2) >> 11 !== 0b10000 || message.readUInt16BE(4) !== 1) return false
  return lowerCase(message.subarray(HEADER_BYTES, end)) === lowerCase(section)
}

const lowerCase = (bytes: Buffer): string => bytes.toString('latin1').toLowerCase()

/**
 * The addresses that an answer has, whatever names its aliases led over: those are passed over unread, for a library needs more than a
 * millisecond for an answer full of long ones. Null: it says nothing. One that is cut before any address does not say that there are none.
 */
export function addressesIn(message: Buffer, { kind, section }: NameQuestion): readonly string[] | null {
  const flags = message.readUInt16BE(2)
  const fault = flags & 0xf
  if (fault !== 0) return fault === NAME_ERROR ? [] : null
  const isWhole = (flags & TRUNCATED) === 0 && message.length <= MOST_BYTES
  const read = message.subarray(0, MOST_BYTES)
  const addresses: string[] = []
  let at = HEADER_BYTES + section.length
  try {
    for (let left = read.readUInt16BE(6); left > 0 && addresses.length < MOST_ADDRESSES; left--) {
      const record = endOfName(read, at)
      const data = record + 10
      at = data + read.readUInt16BE(record + 8)
      if (at > read.length) throw new RangeError('a record without its end')
      if (isAddress(read.subarray(record, at), kind)) addresses.push(addressOf(read.subarray(data, at)))
    }
  } catch {
    if (isWhole) return null
  }
  return isWhole || addresses.length > 0 ? addresses : null
}

const isAddress = (record: Buffer, kind: AddressKind): boolean =>
  record.readUInt16BE(0) === KINDS[kind].type &&
  record.readUInt16BE(2) === INTERNET &&
  record.readUInt16BE(8) === KINDS[kind].bytes

const addressOf = (data: Buffer): string => ipaddr.fromByteArray([...data]).toString()

function endOfName(message: Buffer, from: number): number {
  for (let at = from; ; ) {
    const length = message.readUInt8(at)
    if (length === 0) return at + 1
    // The rest of it stands elsewhere in the packet.
    if (length > 63) return at + 2
    at += length + 1
  }
}
