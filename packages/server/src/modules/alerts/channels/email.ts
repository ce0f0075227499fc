import type { Secret } from '@siarin/media/secret'
import type { SentMessageInfo, Transporter } from 'nodemailer'
import { cleaned, shortened } from './answers.ts'
import type { AlertMessage, Send, SendOutcome } from './channel.ts'

interface EmailDeps {
  readonly smtpUrl: Secret
  readonly from: string
  readonly brand: string
  readonly publicUrl: string | null
  /** The account's own address, if a link that was sent there came back. */
  readonly verifiedMailOf: (userId: string) => Promise<string | null>
}

export interface EmailSender {
  readonly send: Send
  close(): void
}

const CONNECT_MS = 10_000
const SILENCE_MS = 20_000
/** Alerts come in bursts: the next one finds the connection open. */
const IDLE_MS = 10_000
const SUBJECT_MAX = 200
/** One connection takes them in turn. Behind a server that says nothing more than these would pile up, try after try. */
const UNDER_WAY_MAX = 20
const BUSY = 'Server email tidak menjawab, dan surat sebelumnya masih menunggu. Kami coba lagi.'
const SETTINGS_PATH = '/fitur/notifikasi'

/** By the operator's mail server. Its answer is told, so this sends at once; the letters of platform/mail go in the background. */
export function createEmailSender(deps: EmailDeps): EmailSender {
  const { smtpUrl, verifiedMailOf } = deps
  let transport: Transporter | null = null
  let idle: NodeJS.Timeout | undefined
  let underWay = 0

  async function open(): Promise<Transporter> {
    // Loaded with the first mail: most programs send none.
    const { createTransport } = await import('nodemailer')
    transport ??= createTransport({
      ...{ url: smtpUrl.reveal(), pool: true, maxConnections: 1 },
      ...{ connectionTimeout: CONNECT_MS, greetingTimeout: CONNECT_MS, socketTimeout: SILENCE_MS },
    })
    return transport
  }

  function close(): void {
    clearTimeout(idle)
    transport?.close()
    transport = null
  }

  function restLater(): void {
    underWay -= 1
    clearTimeout(idle)
    idle = setTimeout(() => underWay === 0 && close(), IDLE_MS)
    idle.unref()
  }

  async function post(to: string, message: AlertMessage): Promise<SendOutcome> {
    underWay += 1
    try {
      const info: SentMessageInfo = await (await open()).sendMail({ ...letterOf(message, deps), to })
      return { kind: 'sent', answer: clean(String(info.response ?? '250 OK')) }
    } catch (error) {
      return smtpOutcome(error, clean)
    } finally {
      restLater()
    }
  }

  const { username, password } = new URL(smtpUrl.reveal())
  const secrets = [password, attempt(password), attempt(username)]
  const clean = (text: string) => cleaned(text, secrets)

  return {
    close,
    async send(userId, message, signal) {
      const to = await verifiedMailOf(userId)
      if (to === null) return { kind: 'gone', answer: 'Alamat email akun ini belum diverifikasi.' }
      if (underWay >= UNDER_WAY_MAX) return { kind: 'later', afterMs: null, answer: BUSY }
      return Promise.race([post(to, message), untilAborted(signal)])
    },
  }
}

function attempt(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const untilAborted = (signal: AbortSignal): Promise<SendOutcome> =>
  new Promise((resolve) => {
    const giveUp = () => resolve({ kind: 'later', afterMs: null, answer: 'Tidak ada jawaban dalam waktunya.' })
    if (signal.aborted) giveUp()
    else signal.addEventListener('abort', giveUp, { once: true })
  })

/** Without its line breaks nothing that somebody typed can be a header of its own. */
const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()

type Letter = Pick<EmailDeps, 'from' | 'brand' | 'publicUrl'>

/** The same id at each try, so that a mail program shows it once. */
function letterOf(message: AlertMessage, { from, brand, publicUrl }: Letter) {
  const { id, title, text, url, isImportant } = message
  const settings = publicUrl === null ? null : `${publicUrl}${SETTINGS_PATH}`
  const domain = /@([^\s@<>]+?)>?$/.exec(from)?.[1] ?? 'siarin.invalid'
  return {
    from,
    subject: shortened(oneLine(`${title} - ${brand}`), SUBJECT_MAX),
    messageId: `<alert.${id.replace(/[^\w.-]/g, '_')}@${domain}>`,
    text: [oneLine(title), text, url, settings && `Atur pemberitahuan: ${settings}`].filter(Boolean).join('\n\n'),
    html: htmlOf(message, { brand, settings }),
    headers: {
      'Auto-Submitted': 'auto-generated',
      ...(settings && { 'List-Unsubscribe': `<${settings}>` }),
      ...(isImportant && { Importance: 'high' }),
    },
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`).replaceAll('\n', '<br>')

function htmlOf({ title, text, url }: AlertMessage, { brand, settings }: { brand: string; settings: string | null }) {
  const button = url && `<p><a href="${escaped(url)}">Buka di ${escaped(brand)}</a></p>`
  const foot =
    settings && `<p style="color:#666;font-size:13px"><a href="${escaped(settings)}">Atur pemberitahuan</a></p>`
  return [
    '<!doctype html><html lang="id"><body style="font-family:system-ui,sans-serif;max-width:36em;margin:1em auto">',
    `<h1 style="font-size:18px">${escaped(oneLine(title))}</h1><p>${escaped(text)}</p>`,
    ...[button, foot].filter(Boolean),
    '</body></html>',
  ].join('\n')
}

/** RFC 3463: there is no such mailbox, or it has moved, or it takes nothing any more. */
const NO_MAILBOX = /\b5\.(?:1\.[1236]|2\.1)\b/

/** Only the server's own words about this mailbox end the channel; what is wrong with the operator's settings is the operator's to mend. */
function smtpOutcome(error: unknown, clean: (text: string) => string): SendOutcome {
  const { code, responseCode, response, command } = error as Record<string, unknown>
  const status = Number(responseCode)
  const said = clean(typeof response === 'string' ? response : `Server email tidak dapat dihubungi (${String(code)}).`)
  if (!(status >= 500) || code === 'EAUTH') return { kind: 'later', afterMs: null, answer: said }
  if (command === 'RCPT TO' && NO_MAILBOX.test(said)) return { kind: 'gone', answer: said }
  return { kind: 'refused', answer: said }
}
