import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'

export interface ReceivedMail {
  readonly to: string
  readonly subject: string
  readonly text: string
}

export interface MailServer {
  /** For SMTP_URL. */
  readonly url: string
  readonly mails: ReceivedMail[]
  /** How many were not taken, since `refuse`. */
  readonly refused: number
  /** The server says 'later' to everything, or to what is for these, until it is told otherwise. */
  refuse(refusing: boolean | readonly string[]): void
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
  const end = raw.indexOf('\r\n\r\n')
  const head = raw.slice(0, end).replaceAll(/\r\n[ \t]+/g, ' ')
  const body = raw.slice(end + 4)
  const field = (name: string): string => new RegExp(`^${name}: (.*)$`, 'im').exec(head)?.[1] ?? ''
  const encoding = field('Content-Transfer-Encoding').toLowerCase()
  const plain = encoding === 'base64' ? Buffer.from(body, 'base64').toString('utf8') : fromQuotedPrintable(body)
  return { to, subject: field('Subject'), text: encoding === '7bit' ? body : plain }
}

/** A real SMTP server on loopback that keeps what it is sent. */
export async function startMailServer(): Promise<MailServer> {
  const mails: ReceivedMail[] = []
  let refusing: boolean | readonly string[] = false
  let refused = 0
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
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
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
