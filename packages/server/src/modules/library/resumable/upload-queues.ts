import { GENERAL_TEXTS } from '@siarin/contracts/texts'
import type { Lock, Locker } from '@tus/server'
import { DomainError } from '../../../errors.ts'

/** A sender asks for one thing at a time; after a broken line there may be a second request, hardly ever a fifth. */
const MOST_WAITING = 4
const PATIENCE_MS = 30_000
const COME_BACK_AFTER_SECONDS = 2

interface Waiting {
  /** Its request has to end, for another one waits. */
  letGo(): void
  begin(): void
}

interface Held {
  holder: Pick<Waiting, 'letGo'>
  readonly waiting: Set<Waiting>
}

const locked = (): DomainError =>
  new DomainError('upload_locked', GENERAL_TEXTS.id.callsAtOnce, { retryAfterSeconds: COME_BACK_AFTER_SECONDS })

/**
 * One request of this program is at an upload at a time, and few wait for it. tus's own locks ask again in every turn of the event loop, each
 * request that waits for itself: hundreds of them leave it no time for anything else. `among`: the locks that other machines see as well, of
 * which a program then asks for one at a time.
 */
export function createUploadQueues(among?: Locker): Locker {
  const uploads = new Map<string, Held>()

  function wait(held: Held, signal: AbortSignal, letGo: () => void): Promise<void> {
    return new Promise((resolve, reject) => {
      const own: Waiting = { letGo, begin: () => settle(resolve) }
      const giveUp = (): void => settle(() => reject(locked()))
      const timer = setTimeout(giveUp, PATIENCE_MS)
      function settle(then: () => void): void {
        clearTimeout(timer)
        signal.removeEventListener('abort', giveUp)
        held.waiting.delete(own)
        then()
      }
      signal.addEventListener('abort', giveUp)
      held.waiting.add(own)
      held.holder.letGo()
    })
  }

  async function enter(id: string, signal: AbortSignal, letGo: () => void): Promise<void> {
    const held = uploads.get(id)
    if (!held) return void uploads.set(id, { holder: { letGo }, waiting: new Set() })
    if (held.waiting.size >= MOST_WAITING || signal.aborted) throw locked()
    await wait(held, signal, letGo)
  }

  function leave(id: string): void {
    const held = uploads.get(id)
    const [next] = held?.waiting ?? []
    if (!held || !next) return void uploads.delete(id)
    held.holder = next
    next.begin()
    if (held.waiting.size > 0) next.letGo()
  }

  function newLock(id: string): Lock {
    const other = among?.newLock(id)
    return {
      async lock(signal, letGo) {
        await enter(id, signal, () => void letGo())
        // tus calls it a fault of ours that somebody else holds it.
        await other?.lock(signal, letGo).catch((error) => {
          leave(id)
          throw 'status_code' in error ? locked() : error
        })
      },
      async unlock() {
        try {
          await other?.unlock()
        } finally {
          leave(id)
        }
      },
    }
  }

  return { newLock }
}
