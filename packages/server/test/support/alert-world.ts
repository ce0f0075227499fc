import { randomUUID } from 'node:crypto'
import { type AlertSettings, DEFAULT_ALERT_SETTINGS } from '@siarin/contracts/alerts'
import { Secret } from '@siarin/media/secret'
import { pino } from 'pino'
import { createAlertsRepo } from '../../src/modules/alerts/alerts.repo.ts'
import { createAlertsService } from '../../src/modules/alerts/alerts.service.ts'
import type { AlertMessage, ChannelKind, SendOutcome } from '../../src/modules/alerts/channels/channel.ts'
import type { Channels } from '../../src/modules/alerts/channels/channels.ts'
import { channelsRepo } from '../../src/modules/alerts/channels.repo.ts'
import { createAlerts } from '../../src/modules/alerts/index.ts'
import { asOwner } from '../../src/modules/identity/caller.ts'
import { createChanges } from '../../src/platform/db/changes.ts'
import type { Db } from '../../src/platform/db/database.ts'
import { type Fact, writeFacts } from '../../src/platform/outbox/facts.ts'
import { createSealer } from '../../src/platform/secrets/seal.ts'

interface Sent extends AlertMessage {
  readonly to: string
}

const sealer = createSealer(new Secret('a secret of this test alone'))
const log = pino({ level: 'silent' })
export const sealed = (destination: string): string => sealer.seal(new Secret(destination))
const MINUTE_MS = 60_000

/** The alerts of one database, the programs that tell them, and senders that remember what they were given. */
export function alertWorld(db: Db, startMs: number) {
  let now = startMs
  const clock = { now: () => now }
  const sent: Sent[] = []
  const answers = new Map<string, SendOutcome | 'silent' | 'throws'>()
  const programs = new Set<{ stop(): Promise<void> }>()

  const service = createAlertsService({ db, readerName: 'alerts', repo: createAlertsRepo(db), clock })

  async function send(to: string, message: AlertMessage, signal: AbortSignal): Promise<SendOutcome> {
    const said = answers.get(to) ?? { kind: 'sent', answer: 'ok' }
    if (said === 'throws') throw new Error(`cannot reach ${to}`)
    if (said === 'silent') {
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
      return { kind: 'later', afterMs: null, answer: 'nothing' }
    }
    if (said.kind === 'sent') sent.push({ ...message, to })
    return said
  }
  const channels = {
    senders: { telegram: send, discord: send, push: send, email: null },
    start() {},
    stop: async () => {},
  } as unknown as Channels

  return {
    ...{ sent, answers, clock },
    set: (toMs: number) => {
      now = toMs
    },
    move: (byMs: number) => {
      now += byMs
    },
    /** Runs until `stop` or `stopAll`. */
    async start({ isAlone = false, sendMs = 500, firstRetryMs = 15_000, hasDiskRoom = (): boolean => true } = {}) {
      const module = createAlerts({
        ...{ db, changes: createChanges(), sealer, clock, log, isAlone, hasDiskRoom },
        timings: { alerts: { everyMs: 20, firstRetryMs, sendMs } },
        labelsOf: async (_, ids) =>
          new Map(ids.map((id) => [id, { title: `Siaran ${id}`, platform: 'youtube', targetName: null }])),
        verifiedMailOf: async () => null,
        openChannels: () => channels,
        publicUrl: 'https://siarin.example',
      })
      const program = { stop: async () => void (await module.stop?.()) }
      programs.add(program)
      await module.start?.()
      return program
    },
    async stopAll() {
      for (const program of programs) await program.stop()
      programs.clear()
    },
    async addChannel(userId: string, to: string = randomUUID(), kind: ChannelKind = 'discord'): Promise<string> {
      const id = randomUUID()
      const destination_sealed = sealed(to)
      await channelsRepo.insert(db, {
        ...{ id, user_id: userId, kind, name: `Saluran ${to}`, hint: '…', destination_sealed, created_at: now },
      })
      return id
    },
    tell: (userId: string, streamId: string, ...facts: readonly Fact[]) =>
      writeFacts(db, { kind: 'stream', id: streamId, userId }, facts),
    save: (userId: string, change: Partial<AlertSettings>) =>
      service.saveSettings(asOwner(userId), { ...DEFAULT_ALERT_SETTINGS, ...change }),
    bell: async (userId: string) => (await service.list(asOwner(userId), { limit: 100, unread: 'false' })).data,
    titlesTo: (to: string) => sent.filter((message) => message.to === to).map(({ title }) => title),
  }
}

export const wentOff = (at: number, planned = false): Fact => ({
  at,
  fact: 'stream.interrupted',
  payload: { reason: 'target-closed', planned },
})
export const cameBack = (at: number, offAirMs: number): Fact => ({
  at,
  fact: 'stream.recovered',
  payload: { offAirMs },
})
export const wasGivenUp = (at: number): Fact => ({ at, fact: 'stream.failed', payload: { cause: 'target-refused' } })
/** Off air for two minutes: told, and its end too. */
export const wasAway = (at: number): Fact[] => [wentOff(at), cameBack(at + 2 * MINUTE_MS, 2 * MINUTE_MS)]
