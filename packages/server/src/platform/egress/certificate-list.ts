const HEAD_BYTES = { record: 5, message: 4, length: 3 }
const CHANGE_CIPHER = 20
const HANDSHAKE = 22
const CERTIFICATE = 11

/** Reads what a server of TLS 1.2 sends in plain text, and tells how long each certificate of a list is before OpenSSL has all of that list. */
export function createListReader(onList: (sizes: readonly number[]) => void): (bytes: Buffer) => void {
  let records: Buffer = Buffer.alloc(0)
  let messages: Buffer = Buffer.alloc(0)
  let isPlain = true

  function readRecords(): void {
    while (isPlain && records.length >= HEAD_BYTES.record) {
      const end = HEAD_BYTES.record + records.readUInt16BE(HEAD_BYTES.record - 2)
      if (records.length < end) return
      if (records[0] === CHANGE_CIPHER) isPlain = false
      if (records[0] === HANDSHAKE) messages = Buffer.concat([messages, records.subarray(HEAD_BYTES.record, end)])
      records = records.subarray(end)
    }
  }

  function readMessages(): void {
    while (messages.length >= HEAD_BYTES.message) {
      const end = HEAD_BYTES.message + messages.readUIntBE(1, HEAD_BYTES.length)
      if (messages.length < end) return
      if (messages[0] === CERTIFICATE) onList(sizesIn(messages.subarray(HEAD_BYTES.message, end)))
      messages = messages.subarray(end)
    }
  }

  return (bytes) => {
    if (!isPlain) return
    records = Buffer.concat([records, bytes])
    readRecords()
    readMessages()
  }
}

function sizesIn(list: Buffer): number[] {
  const sizes: number[] = []
  for (let at = HEAD_BYTES.length; at + HEAD_BYTES.length <= list.length; ) {
    const size = list.readUIntBE(at, HEAD_BYTES.length)
    sizes.push(size)
    at += HEAD_BYTES.length + size
  }
  return sizes
}
