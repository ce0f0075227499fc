import { parseAddress } from '@siarin/contracts/parse-address'
import type { Clock } from '../../../platform/clock.ts'
import type { Guard } from '../../../platform/egress/guard.ts'
import { type SmallAnswer, smallCall } from '../../../platform/egress/small-call.ts'
import { ANSWER_BYTES, boundedWait, cleaned, jsonOf, noAnswer, retryAfterMs, shortened } from './answers.ts'
import type { AlertMessage, Send, SendOutcome } from './channel.ts'
import type { CheckedDestination } from './channels.ts'
import { createPace } from './pace.ts'

const DISCORD_API = 'https://discord.com'
/** Those that Discord gives out; the part before the version may be missing. */
const HOSTS = new Set(['discord.com', 'discordapp.com', 'ptb.discord.com', 'canary.discord.com'])
const PATH = /^\/api(?:\/v\d{1,2})?\/webhooks\/(\d{5,20})\/([\w-]{20,120})\/?$/

const CONTENT_MAX = 2000
const DESCRIPTION_MAX = 4000
const USERNAME_MAX = 80
const IMPORTANT_COLOUR = 0xd9_2d_20
const CALM_COLOUR = 0x2f_6f_ed
/** Thirty a minute to a webhook. */
const GAP_MS = 2_000

interface Webhook {
  readonly id: string
  readonly token: string
}

function readWebhook(address: string, origin: string): Webhook | null {
  const url = parseAddress(address.trim())
  if (!url || url.username || url.password) return null
  const isDiscord = url.protocol === 'https:' && HOSTS.has(url.hostname) && url.port === ''
  if (!isDiscord && url.origin !== origin) return null
  const [, id, token] = PATH.exec(url.pathname) ?? []
  return id && token ? { id, token } : null
}

/** Takes an address as Discord shows it, and keeps of it what leads nowhere but to Discord. */
export function checkDiscord(address: string, apiUrl: string): CheckedDestination {
  const webhook = readWebhook(address, new URL(apiUrl).origin)
  if (!webhook) return { ok: false, why: 'invalid' }
  const destination = `${new URL(apiUrl).origin}/api/webhooks/${webhook.id}/${webhook.token}`
  return { ok: true, destination, shown: `discord.com … ${webhook.id.slice(-4)}` }
}

interface DiscordDeps {
  readonly apiUrl: string
  readonly guard: Guard
  readonly brand: string
  readonly clock: Clock
}

export function createDiscordSender({ apiUrl, guard, brand, clock }: DiscordDeps): Send {
  const { origin } = new URL(apiUrl)
  const judge = origin === DISCORD_API ? guard : null
  const pace = createPace({ perSecond: 40, longestWaitMs: 5_000 })
  return async (destination, message, signal) => {
    const webhook = readWebhook(destination, origin)
    if (!webhook) return { kind: 'gone', answer: 'Alamat webhook Discord ini tidak dikenal. Simpan lagi alamatnya.' }
    const waitMs = await pace.turn(webhook.id, GAP_MS, signal)
    if (waitMs > 0) return { kind: 'later', afterMs: waitMs, answer: 'Menunggu giliran di Discord.' }
    try {
      // Only the id and the token count of what was kept: the operator says where it goes.
      const url = new URL(`${origin}/api/webhooks/${webhook.id}/${webhook.token}?wait=true`)
      const answer = await smallCall(url, judge, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(discordFields(message, brand)),
        signal,
        mostBytes: ANSWER_BYTES,
      })
      const outcome = discordOutcome(answer, [webhook.token], clock.now())
      if (outcome.kind === 'later' && outcome.afterMs) pace.hold(webhook.id, outcome.afterMs)
      return outcome
    } catch (error) {
      return noAnswer(error, 'platform')
    }
  }
}

/** What Discord would take for emphasis, a link or a mention. */
const plain = (text: string): string => text.replace(/([\\*_~`|>#[\]()<@:-])/g, '\\$1')

/** The title is the message, since that is what a phone shows; the rest is the card below it. */
function discordFields({ title, text, url, isImportant }: AlertMessage, brand: string): object {
  const link = url === null ? '' : `\n\n[Buka di ${plain(brand)}](${url})`
  const username = shortened(brand, USERNAME_MAX)
  return {
    content: shortened(plain(title), CONTENT_MAX),
    // Discord refuses names that could be taken for its own.
    ...(!/discord|clyde/i.test(username) && { username }),
    embeds: [
      {
        description: `${shortened(plain(text), DESCRIPTION_MAX - link.length)}${link}`,
        color: isImportant ? IMPORTANT_COLOUR : CALM_COLOUR,
      },
    ],
    allowed_mentions: { parse: [] },
  }
}

function discordOutcome(answer: SmallAnswer, secrets: readonly string[], now: number): SendOutcome {
  const { status } = answer
  if (status >= 200 && status < 300) return { kind: 'sent', answer: `${status} OK` }
  const said = jsonOf(answer)
  const { message, retry_after: seconds } = said ?? {}
  const shown = cleaned(`${status} ${typeof message === 'string' ? message : ''}`, secrets)
  if (status === 429) {
    const afterMs = typeof seconds === 'number' ? boundedWait(seconds * 1000) : retryAfterMs(answer.headers, now)
    return { kind: 'later', afterMs, answer: shown }
  }
  // A page instead of data comes from what stands before Discord, and says nothing about the webhook.
  if (status >= 500 || status === 408 || (status === 403 && said === null)) {
    return { kind: 'later', afterMs: null, answer: shown }
  }
  // Mostly code 10015, 'Unknown Webhook'. If we ask on, Discord blocks the whole machine.
  if (status === 401 || status === 404) return { kind: 'gone', answer: shown }
  return { kind: 'refused', answer: shown }
}
