import type { Log } from '../../../platform/log.ts'
import type { AssignedStreamsRepo, HandedStream } from '../store/assigned-streams.repo.ts'
import type { Assignments } from './assignments.ts'

interface OffersDeps {
  worker: string
  assigned: AssignedStreamsRepo
  running: Assignments['running']
  room: () => number
  /** Everything that a start would wait for. Answers how to let go of it. */
  prepare: (streamId: string) => Promise<() => void>
  log: Log
}

/** By then the stream runs here, or nobody will hand it over any more. */
const KEEP_MS = 60_000

/** Streams that another worker would like to hand over to this one: it says so once it could start them at once. */
export function createOffers({ worker, assigned, running, room, prepare, log }: OffersDeps) {
  const prepared = new Map<
    string,
    { readonly epoch: number; readonly timer: NodeJS.Timeout; readonly release: () => void }
  >()

  function letGo(streamId: string): void {
    const found = prepared.get(streamId)
    prepared.delete(streamId)
    clearTimeout(found?.timer)
    found?.release()
  }

  async function accept(stream: HandedStream): Promise<void> {
    const { id, epoch } = stream
    letGo(id)
    let release = () => {}
    const timer = setTimeout(letGo, KEEP_MS, id)
    prepared.set(id, { epoch, timer, release: () => release() })
    try {
      const own = prepared.get(id)
      release = await prepare(id)
      // It took longer than anybody waits for it.
      if (prepared.get(id) !== own) return release()
      await assigned.acceptOffer(stream, worker)
      await assigned.hint()
    } catch (error) {
      letGo(id)
      log.warn({ err: error, streamId: id }, 'a stream that was offered cannot be taken')
    }
  }

  return {
    async accept(): Promise<void> {
      for (const id of prepared.keys()) if (running.has(id)) letGo(id)
      for (const stream of await assigned.offeredTo(worker)) {
        const isKnown = prepared.get(stream.id)?.epoch === stream.epoch
        if (stream.handover_ready === 1 || isKnown || room() <= 0) continue
        void accept(stream)
      }
    },
    stop(): void {
      for (const id of [...prepared.keys()]) letGo(id)
    },
  }
}
