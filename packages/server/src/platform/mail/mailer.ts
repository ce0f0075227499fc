import { setTimeout as sleep } from 'node:timers/promises'
import type { Secret } from '@siarin/media/secret'
import { createTransport } from 'nodemailer'
import type { Log } from '../log.ts'
import type { Timings } from '../timings.ts'

export interface Letter {
  readonly to: string
  readonly subject: string
  readonly text: string
}

export interface Mailer {
  /** Takes a letter for sending. Never waits and never fails: whoever asked for something has it, with or without the mail. */
  post(letter: Letter): void
  /** What has not been sent by now is not sent any more. */
  close(): Promise<void>
}

interface MailerDeps {
  smtpUrl: Secret
  from: string
  log: Log
  timings: Pick<Timings, 'mailRetriesMs'>
}

/** More wait only while the server is away, and then the oldest are of no use any more. */
const QUEUE_MAX = 500
const AT_ONCE = 2
const CONNECT_MS = 10_000
const SILENCE_MS = 20_000

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
  const queue: Letter[] = []
  const closing = new AbortController()
  const senders = new Set<Promise<void>>()

  async function send(letter: Letter): Promise<void> {
    for (let attempt = 0; ; attempt++) {
      try {
        const headers = { 'Auto-Submitted': 'auto-generated' }
        await transport.sendMail({ ...letter, from, headers, disableFileAccess: true, disableUrlAccess: true })
        return
      } catch (error) {
        const { code, responseCode } = error as { code?: string; responseCode?: number }
        const waitMs = isFinal(error) ? undefined : timings.mailRetriesMs[attempt]
        // Not the error itself: it may quote the letter.
        const facts = { code, responseCode, attempt, subject: letter.subject }
        if (waitMs === undefined || closing.signal.aborted) return log.error(facts, 'a mail could not be sent')
        log.warn(facts, 'a mail is tried again')
        await sleep(waitMs, undefined, { signal: closing.signal }).catch(() => {})
        if (closing.signal.aborted) return
      }
    }
  }

  async function work(): Promise<void> {
    for (let letter = queue.shift(); letter && !closing.signal.aborted; letter = queue.shift()) await send(letter)
  }

  return {
    post(letter) {
      if (closing.signal.aborted) return
      if (queue.length >= QUEUE_MAX) {
        queue.shift()
        log.error('mails wait for a server that does not take them: the oldest is dropped')
      }
      queue.push(letter)
      if (senders.size >= AT_ONCE) return
      const sender = work().finally(() => senders.delete(sender))
      senders.add(sender)
    },
    async close() {
      closing.abort()
      transport.close()
      await Promise.all(senders)
    },
  }
}
