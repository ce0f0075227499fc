import { type Operation, operationsOf } from '../hostile-requests.ts'

/** What is made finds room when something was removed. */
const MAKES =
  /^POST \/fitur\/(?:target|schedule|playlist|webhook|playlist\/\{id\}\/items|(?:online|bigo|tiktok)\/add|alert\/channel\/(?:discord|push|email|telegram)|broadcast\/\{id\}\/targets)$/

/** They end what others need, or have the machine work on for a while: in this order, when all else is done. */
const LAST: readonly string[] = [
  'POST /auth/profile/username',
  'POST /auth/profile/apikey',
  'POST /auth/profile/password',
  'POST /auth/logout',
  'POST /fitur/alert/channel/push/remove',
  'POST /fitur/broadcast/{id}/stop',
  'POST /fitur/steam/stop',
  'DELETE /fitur/broadcast/{id}/targets/{streamId}',
  'DELETE /auth/profile',
  'POST /fitur/steam/start',
  'POST /fitur/broadcast',
  'POST /fitur/video/retry/{filename}',
  'POST /fitur/video/rendition/{filename}',
  'POST /fitur/video/upload',
  'POST /fitur/recording/{id}/video',
  'POST /fitur/video/import',
]

export const nameOf = ({ method, path }: Pick<Operation, 'method' | 'path'>): string => `${method} ${path}`

/** What only reads comes first, then what changes, removes and makes something. */
function placeOf(operation: Operation): number {
  const name = nameOf(operation)
  const last = LAST.indexOf(name)
  if (last >= 0) return 4 + last
  if (operation.method === 'GET') return 0
  if (MAKES.test(name)) return 3
  return operation.method === 'DELETE' ? 2 : 1
}

/** Every operation of the document. */
export const inOrder = (document: Parameters<typeof operationsOf>[0]): Operation[] =>
  operationsOf(document)
    .filter(({ path }) => path in document.paths)
    .toSorted((one, other) => placeOf(one) - placeOf(other))
