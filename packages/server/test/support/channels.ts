import { randomInt, randomUUID } from 'node:crypto'
import { Secret } from '@siarin/media/secret'
import { pino } from 'pino'
import type { AlertMessage, ChannelKind, Send } from '../../src/modules/alerts/channels/channel.ts'
import type { ChannelSettings, ChannelsDeps, LinkedChat } from '../../src/modules/alerts/channels/channels.ts'
import { createChannels } from '../../src/modules/alerts/channels/index.ts'
import { createChanges } from '../../src/platform/db/changes.ts'
import type { Db } from '../../src/platform/db/database.ts'
import { createEgress } from '../../src/platform/egress/egress.ts'
import { createSealer } from '../../src/platform/secrets/seal.ts'
import { REPO_DATABASES } from './repo-databases.ts'

/** Everything comes soon. A poll is shorter than a lease. */
export const SOON = {
  telegram: { codeMs: 60_000, pollSeconds: 0.2, lookMs: 20, conflictMs: 30, firstRetryMs: 20, leaseMs: 1_500 },
}

export const newBotToken = (): string => `${randomInt(100_000_000, 999_999_999)}:AAE${randomUUID().replaceAll('-', '')}`

export const messageOf = (change: Partial<AlertMessage> = {}): AlertMessage => ({
  id: randomUUID(),
  title: 'Siaran "Ngaji Malam" mati',
  text: 'Siaran ke YouTube berhenti pukul 02.14 WIB. Kami mencoba lagi.',
  url: 'https://siarin.example/fitur/siaran',
  isImportant: true,
  topic: 'stream:1',
  ...change,
})

/** Where no row of a table matters. */
export const ON_SQLITE = REPO_DATABASES.filter(({ name }) => name === 'SQLite')

export function sendBy({ channels }: ReturnType<typeof channelsOf>, kind: ChannelKind): Send {
  const send = channels.senders[kind]
  if (!send) throw new Error(`there is no ${kind}`)
  return send
}

export const soonOver = (): AbortSignal => AbortSignal.timeout(20_000)

interface Given {
  readonly db: Db
  readonly settings?: Partial<ChannelSettings>
  readonly deps?: Partial<ChannelsDeps>
}

/** The channels of a program, with what they wrote into the log and which chats they linked. */
export function channelsOf({ db, settings = {}, deps = {} }: Given) {
  const lines: string[] = []
  const linked: LinkedChat[] = []
  const allowPrivateNetwork = settings.allowPrivateNetwork ?? true
  const channels = createChannels({
    db,
    changes: createChanges(),
    sealer: createSealer(new Secret('the secret of this installation')),
    clock: { now: () => Date.now() },
    log: pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) }),
    egress: createEgress({ allowPrivateNetwork, dnsServers: [] }),
    timings: SOON,
    isAlone: false,
    verifiedMailOf: async () => null,
    isSessionOver: async () => false,
    keepLinked: async (_inside, chat) => void linked.push(chat),
    settings: {
      telegram: { bot: null, apiUrl: 'http://127.0.0.1:1' },
      discordApiUrl: 'http://127.0.0.1:1',
      mail: null,
      pushContact: 'mailto:operator@siarin.example',
      allowPrivateNetwork,
      publicUrl: 'https://siarin.example',
      brand: 'Siarin',
      ...settings,
    },
    ...deps,
  })
  return { channels, linked, log: () => lines.join('') }
}
