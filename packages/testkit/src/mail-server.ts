import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'

export interface ReceivedMail {
  readonly to: string
  readonly subject: string
  /** The part in plain text, where it has several. */
  readonly text: string
  /** As it came. */
  readonly raw: string
}

export interface MailServer {
  /** For SMTP_URL. */
  readonly url: string
  readonly mails: ReceivedMail[]
  /** How many were not taken, since `refuse`. */
  readonly refused: number
  /** The server says 'later' to everything, or to what is for these, until it is told otherwise. */
  refuse(refusing: boolean | readonly string[]): void
  /** This recipient is refused for ever, in these words; null: not any more. */
  refuseRecipient(to: string, words: { code: number; message: string } | null): void
  stop(): Promise<void>
}

/** RFC 2045 and 2047, as far as our own mails use them. */
const fromQuotedPrintable = (body: string): string =>
  Buffer.from(
    body
      .replaceAll(/=\r?\n/g, '')
      .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString('utf8')

function parse(raw: string, to: string): ReceivedMail {
  const { field, text } = partOf(raw)
  return { to, subject: field('Subject'), text, raw }
}

function partOf(raw: string): { field(name: string): string; text: string } {
  const end = raw.indexOf('\r\n\r\n')
  const head = raw.slice(0, end).replaceAll(/\r\n[ \t]+/g, ' ')
  const body = raw.slice(end + 4)
  const field = (name: string): string => new RegExp(`^${name}: (.*)$`, 'im').exec(head)?.[1] ?? ''
  const boundary = /^multipart\/.*boundary="?([^";]+)/i.exec(field('Content-Type'))?.[1]
  const parts = boundary ? body.split(`--${boundary}`).map((part) => part.replace(/^\r\n/, '')) : []
  const plainPart = parts.find((part) => /^Content-Type: text\/plain/im.test(part))
  if (plainPart !== undefined) return { field, text: partOf(plainPart).text }
  const encoding = field('Content-Transfer-Encoding').toLowerCase()
  const plain = encoding === 'base64' ? Buffer.from(body, 'base64').toString('utf8') : fromQuotedPrintable(body)
  return { field, text: encoding === '7bit' ? body : plain }
}

/** A real SMTP server on loopback that keeps what it is sent. */
export async function startMailServer(): Promise<MailServer> {
  const mails: ReceivedMail[] = []
  let refusing: boolean | readonly string[] = false
  const refusedFor = new Map<string, { code: number; message: string }>()
  let refused = 0
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    onRcptTo({ address }, _session, done) {
      const words = refusedFor.get(address)
      done(words ? Object.assign(new Error(words.message), { responseCode: words.code }) : null)
    },
    onData(stream, session, done) {
      const to = session.envelope.rcptTo.map(({ address }) => address).join(', ')
      text(stream).then((raw) => {
        if (typeof refusing === 'boolean' ? refusing : refusing.includes(to)) {
          refused += 1
          done(Object.assign(new Error('try again later'), { responseCode: 451 }))
          return
        }
        mails.push(parse(raw, to))
        done()
      }, done)
    },
  })
  server.on('error', () => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.server.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    get refused() {
      return refused
    },
    refuse(now) {
      refusing = now
    },
    refuseRecipient(to, words) {
      if (words) refusedFor.set(to, words)
      else refusedFor.delete(to)
    },
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
