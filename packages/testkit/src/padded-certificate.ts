import { X509Certificate } from 'node:crypto'

const [SEQUENCE, OCTETS, EXTENSIONS] = [0x30, 0x04, 0xa3]
/** 1.2.3.4, which nobody asks for. */
const NAME = Buffer.from([0x06, 3, 0x2a, 3, 4])

function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  const head = Buffer.from([tag, 0x82, 0, 0])
  head.writeUInt16BE(content.length, 2)
  return Buffer.concat([head, content])
}

/** Where the content of what begins there begins, and where it ends. */
function boundsAt(bytes: Buffer, at: number): { from: number; to: number } {
  const first = bytes.readUInt8(at + 1)
  if (first < 0x80) return { from: at + 2, to: at + 2 + first }
  const from = at + 2 + (first - 0x80)
  return { from, to: from + bytes.readUIntBE(at + 2, first - 0x80) }
}

function partsOf(whole: Buffer): Buffer[] {
  const { from, to } = boundsAt(whole, 0)
  const parts: Buffer[] = []
  for (let at = from; at < to; at = boundsAt(whole, at).to) parts.push(whole.subarray(at, boundsAt(whole, at).to))
  return parts
}

/** The same certificate with an extension of so many bytes. Its signature is wrong then. */
export function paddedCertificate(pem: string, bytes: number): string {
  const [body = Buffer.alloc(0), ...signature] = partsOf(new X509Certificate(pem).raw)
  const fields = partsOf(body)
  const [list = Buffer.alloc(0)] = partsOf(fields.pop() ?? Buffer.alloc(0))
  const padding = der(SEQUENCE, NAME, der(OCTETS, Buffer.alloc(bytes)))
  const extensions = der(EXTENSIONS, der(SEQUENCE, ...partsOf(list), padding))
  return new X509Certificate(der(SEQUENCE, der(SEQUENCE, ...fields, extensions), ...signature)).toString()
}
