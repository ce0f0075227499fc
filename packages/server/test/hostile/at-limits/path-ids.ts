import type { Ids } from './account.ts'
import type { Amounts } from './amounts.ts'
import type { Filled } from './fill-account.ts'
import { idAt } from './fill-rows.ts'

const at = ({ like, count }: Ids, number: number): string => idAt(like, number % count)

/** What stands for the parameters of a path, for the so many-th call: by whose they are, as the path says. */
export function createPathIds(filled: Filled, amounts: Amounts, live: { streamId: string }) {
  const { library } = filled
  // What is removed is taken from the other end, so that each finds something.
  const lastList = library.playlists.count - 1
  const each = amounts.deliveriesFinishedEach
  const rules: readonly (readonly [RegExp, (number: number) => string])[] = [
    [/^\/fitur\/playlist\/\{id\}\/items.*\{id\}$/, () => at(library.playlists, lastList)],
    [/^\/fitur\/playlist.*\{id\}$/, (n) => at(library.playlists, n)],
    [/\{itemId\}$/, (n) => idAt(library.items.like, lastList * amounts.itemsEach + (n % amounts.itemsEach))],
    [/^\/fitur\/schedule.*\{id\}$/, (n) => at(filled.schedules, n)],
    [/^\/fitur\/target.*\{id\}$/, (n) => at(filled.targets, n)],
    [/^\/fitur\/online.*\{id\}$/, (n) => at(filled.sources, n)],
    [/^\/fitur\/alert\/channel.*\{id\}$/, (n) => at(filled.channels, n)],
    [/^\/fitur\/alert.*\{id\}$/, (n) => String(filled.newestAlert - n)],
    [/^\/fitur\/webhook\/\{id\}\/deliveries.*\{id\}$/, () => at(filled.webhooks, 0)],
    [/^\/fitur\/webhook.*\{id\}$/, (n) => at(filled.webhooks, n)],
    // The newest ones: what is sent meanwhile pushes the oldest out of the log.
    [/\{deliveryId\}$/, (n) => idAt(filled.deliveries.like, each - 1 - (n % each))],
    [/^\/fitur\/recording.*\{id\}$/, (n) => at(filled.recordings, n)],
    [/\{segment\}$/, (n) => `${n}.ts`],
    [/^\/fitur\/analytics\/broadcast.*\{id\}$/, () => filled.watched],
    [/^\/fitur\/broadcast.*\{(?:id|streamId)\}$/, () => live.streamId],
    [/\{streamId\}$/, () => live.streamId],
    [/^\/fitur\/bigo.*\{accountId\}$/, (n) => at(filled.bigo, n)],
    [/^\/fitur\/tiktok.*\{accountId\}$/, (n) => at(filled.tiktok, n)],
    [/^\/fitur\/video\/re.*\{filename\}$/, (n) => library.filenameAt(n % library.videos.count)],
    [/\{filename\}$/, (n) => library.filenameAt(library.videos.count - 1 - (n % library.videos.count))],
    [/\{sessionId\}$/, (n) => at(filled.sessions, filled.sessions.count - 1 - (n % filled.sessions.count))],
  ]

  /** Null: nothing is known of one of its parameters. */
  return (path: string, number: number): string | null => {
    let isKnown = true
    const whole = path.replace(/\{(\w+)\}/g, (parameter) => {
      const rule = rules.find(([place]) => place.test(`${path} ${parameter}`))
      if (!rule) isKnown = false
      return encodeURIComponent(rule?.[1](number) ?? '')
    })
    return isKnown ? whole : null
  }
}
