import { randomUUID } from 'node:crypto'
import { ALERT_TEXTS } from '@siarin/contracts/alert-texts'
import type { AlertTestAnswer } from '@siarin/contracts/alerts'
import { Secret } from '@siarin/media/secret'
import type { Caller } from '../identity/caller.ts'
import { switchOffGone } from './channel-gone.ts'
import type { SendOutcome } from './channels/channel.ts'
import { channelsRepo } from './channels.repo.ts'
import type { ChannelsService } from './channels.service.ts'
import { type DeliverDeps, sendBounded } from './deliver.ts'
import type { ChannelRow } from './deliveries.repo.ts'

interface TestChannelDeps extends Omit<DeliverDeps, 'repo'> {
  readonly service: Pick<ChannelsService, 'ownRow' | 'view'>
}

/** Sends a message at once, while its owner waits, and says what the other side said. */
export const createTestChannel = (deps: TestChannelDeps) =>
  async function testChannel(caller: Caller, id: string): Promise<AlertTestAnswer['data']> {
    const row = await deps.service.ownRow(caller, id)
    const said = await trySend(row, deps)
    // One that has moved is asked at its new place, once.
    const outcome = said.kind === 'moved' ? await trySend(await moved(row, said.destination, deps), deps) : said
    await note(row, outcome, deps)
    const kind = outcome.kind === 'moved' ? 'later' : outcome.kind
    return { outcome: kind, answer: outcome.answer, channel: await deps.service.view(caller, id) }
  }

async function trySend(row: ChannelRow, deps: TestChannelDeps): Promise<SendOutcome> {
  const message = {
    id: `al-test-${randomUUID()}`,
    title: ALERT_TEXTS.testTitle,
    text: ALERT_TEXTS.testText,
    url: deps.publicUrl ? `${deps.publicUrl}/fitur/notifikasi` : null,
    isImportant: false,
    topic: 'test',
  }
  const outcome = await sendBounded(deps, row, message)
  return outcome ?? { kind: 'later', afterMs: null, answer: ALERT_TEXTS.timedOut }
}

async function moved(row: ChannelRow, destination: string, { db, sealer }: TestChannelDeps): Promise<ChannelRow> {
  const sealed = sealer.seal(new Secret(destination))
  await channelsRepo.moved(db, row.id, sealed)
  return { ...row, destination_sealed: sealed }
}

async function note(row: ChannelRow, outcome: SendOutcome, { db, clock }: TestChannelDeps): Promise<void> {
  const now = clock.now()
  const { answer } = outcome
  await db.transaction().execute(async (inside) => {
    if (outcome.kind === 'gone') await switchOffGone(inside, row, { now, answer })
    await channelsRepo.noteAnswer(inside, row.id, { at: now, ok: outcome.kind === 'sent', answer })
  })
}
