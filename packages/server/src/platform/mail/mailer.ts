import { setTimeout as sleep } from 'node:timers/promises'
import type { Secret } from '@siarin/media/secret'
import { createTransport } from 'nodemailer'
import type { Log } from '../log.ts'
import type { Timings } from '../timings.ts'
import { createLetterQueue } from './letter-queue.ts'
import { mailboxOf } from './mailbox.ts'

export interface Letter {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html?: string
  /** Anybody can have it sent to anybody: all others go before it, and lose nothing for it. */
  readonly canWait?: boolean
}

export interface Mailer {
  /**
   * Takes a letter for sending. Never waits and never fails: a user who asked for something has it, with or without the mail. `onLost`: the
   * mail server was away for too long.
   */
  post(letter: Letter, onLost?: () => void): void
  /** What has not been sent by now is not sent any more. */
  close(): Promise<void>
}

interface MailerDeps {
  smtpUrl: Secret
  from: string
  log: Log
  timings: Pick<Timings, 'mailRetriesMs'>
}

/** More wait only while the server is away, or where somebody has letters sent on purpose. */
const QUEUE_MAX = 500
/** More than anybody reads of what one has asked for. */
const EACH_MAX = 10
const AT_ONCE = 2
const CONNECT_MS = 10_000
const SILENCE_MS = 20_000
const END_MS = 2_000

/** `attempt`: how often it has been tried. */
type Waiting = { letter: Letter; attempt: number; onLost?: (() => void) | undefined }

/** What an SMTP server says for ever, such as that there is no such mailbox. */
const isFinal = (error: unknown): boolean => Number((error as { responseCode?: unknown }).responseCode) >= 500

/** Sends in the background. The queue is this program's memory: a letter holds a link, which is nothing to write down. */
export function createMailer({ smtpUrl, from, log, timings }: MailerDeps): Mailer {
  const transport = createTransport({
    url: smtpUrl.reveal(),
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: SILENCE_MS,
  })
  const createQueue = () => createLetterQueue<Waiting>(({ letter }) => mailboxOf(letter.to), EACH_MAX)
  const [front, back] = [createQueue(), createQueue()]
  const queueOf = ({ letter }: Waiting) => (letter.canWait ? back : front)
  const putOffs = new Map<NodeJS.Timeout, Waiting>()
  const closing = new AbortController()
  const senders = new Set<Promise<void>>()

  /** False: it is to be tried again. */
  async function send({ letter, attempt, onLost }: Waiting): Promise<boolean> {
    try {
      const headers = { 'Auto-Submitted': 'auto-generated' }
      await transport.sendMail({ ...letter, from, headers, disableFileAccess: true, disableUrlAccess: true })
      return true
    } catch (error) {
      const { code, responseCode } = error as { code?: string; responseCode?: number }
      const isLast = isFinal(error) || timings.mailRetriesMs[attempt] === undefined || closing.signal.aborted
      // Not the error itself: it may quote the letter.
      const facts = { code, responseCode, attempt, subject: letter.subject }
      if (isLast) log.error(facts, 'a mail could not be sent')
      else log.warn(facts, 'a mail is tried again')
      if (isLast && !isFinal(error)) onLost?.()
      return isLast
    }
  }

  /** One that waits for its next try holds up no other: two mailboxes that are full would keep everybody's mail. */
  function putOff(waiting: Waiting): void {
    const timer = setTimeout(() => {
      putOffs.delete(timer)
      enqueue({ ...waiting, attempt: waiting.attempt + 1 })
    }, timings.mailRetriesMs[waiting.attempt])
    putOffs.set(timer, waiting)
  }

  async function work(): Promise<void> {
    const take = () => front.next() ?? back.next()
    for (let next = take(); next && !closing.signal.aborted; next = take()) {
      if (!(await send(next)) && !closing.signal.aborted) putOff(next)
    }
  }

  function oldestPutOff(queue: typeof front): Waiting | undefined {
    for (const [timer, waiting] of putOffs) {
      if (queueOf(waiting) !== queue) continue
      clearTimeout(timer)
      putOffs.delete(timer)
      return waiting
    }
    return undefined
  }

  function drop(waiting: Waiting | undefined): void {
    waiting?.onLost?.()
    log.error('too many mails wait: one is dropped')
  }

  /** Several to one mailbox go before the only one to another, and what was tried in vain before what never was. */
  const leastOf = (queue: typeof front): Waiting | undefined =>
    queue.takeFromLongest() ?? oldestPutOff(queue) ?? queue.next()

  function enqueue(waiting: Waiting): void {
    if (!queueOf(waiting).add(waiting)) drop(waiting)
    if (front.size() + back.size() + putOffs.size > QUEUE_MAX) drop(leastOf(back) ?? leastOf(front))
    if (senders.size >= AT_ONCE) return
    const sender = work().finally(() => senders.delete(sender))
    senders.add(sender)
  }

  return {
    post(letter, onLost) {
      if (!closing.signal.aborted) enqueue({ letter, attempt: 0, onLost })
    },
    async close() {
      closing.abort()
      for (const timer of putOffs.keys()) clearTimeout(timer)
      transport.close()
      // A server that is silent keeps the end of the program, and with it everything that has to be ended in order, waiting no longer.
      await Promise.race([Promise.all(senders), sleep(END_MS, undefined, { ref: false })])
    },
  }
}
