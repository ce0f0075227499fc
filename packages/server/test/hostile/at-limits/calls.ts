import { randomUUID } from 'node:crypto'
import { bearer } from '../../support/program.ts'
import type { Operation } from '../hostile-requests.ts'
import type { Account } from './account.ts'
import { type BodyNeeds, createBodies } from './bodies.ts'
import type { PlainRequest } from './burst.ts'
import { nameOf } from './operations.ts'
import { createPathIds } from './path-ids.ts'
import { createQueries } from './queries.ts'
import { LOGO } from './seed.ts'

/** An operation as it is called; one may be called in several ways. */
export interface Call {
  readonly name: string
  readonly operation: string
  readonly alone: number
  readonly atOnce: number
  readonly request: (n: number) => PlainRequest
  /** What has to be there first, and when all that follows from it is over. */
  readonly before?: () => Promise<void>
  readonly after?: () => Promise<void>
}

export interface CallNeeds extends BodyNeeds {
  readonly now: number
  readonly aloneCalls: number
  /** How many of an operation come at once. */
  readonly atOnceOf: (operation: string) => number
  readonly clip: Buffer
  /** Whose only session is ended. */
  readonly leaving: Account
  readonly doomed: Account
  readonly around: Readonly<Record<string, Pick<Call, 'before' | 'after'>>>
}

/** Nobody is asked who it is. */
const OPEN = /^POST \/auth\/(?:register|login|login\/code|forgot|reset|verify)$/
/** Only with a session. */
const SESSION = / \/(?:auth\/|fitur\/system\/)/
/** Done to somebody whom nobody needs any more. */
const SPARES = /^POST \/auth\/profile\//
/** Each asked for once at a time: there is one of it to do it to. */
const ONCE = new Set(['DELETE /auth/profile', 'POST /fitur/steam/stop', 'POST /fitur/broadcast/{id}/stop'])
/** A call for each of the large recordings, which are large in ways of their own. */
const OF_RECORDINGS = /^(?:GET \/fitur\/recording\/\{id\}.*|POST \/fitur\/recording\/\{id\}\/video)$/

/** Null: we do not know how to call it. */
export function createCalls(needs: CallNeeds): (operation: Operation) => readonly Call[] | null {
  const pathOf = createPathIds(needs.filled, needs.amounts, needs.live)
  const bodies = createBodies(needs)
  const queries = createQueries(needs.filled, needs.now)

  function headersOf(name: string): Record<string, string> {
    // An address of its own for each call: limits by address would hide what lies behind them.
    const from = {
      'x-forwarded-for': `10.${[...randomUUID().slice(0, 3)].map((hex) => Number.parseInt(hex, 16)).join('.')}`,
    }
    if (OPEN.test(name)) return from
    const { [name]: who = SPARES.test(name) ? needs.spare : needs.full } = {
      'POST /auth/logout': needs.leaving,
      'DELETE /auth/profile': needs.doomed,
    }
    return SESSION.test(name) ? bearer(who.token) : { 'x-api-key': who.apiKey }
  }

  function bodyOf(operation: Operation, n: number, headers: Record<string, string>): Buffer | null | undefined {
    const name = nameOf(operation)
    if (name === 'PUT /fitur/branding/logo') {
      headers['content-type'] = 'image/png'
      return LOGO
    }
    if (operation.isForm) return form(needs.clip, headers)
    if (name === 'DELETE /auth/profile') {
      headers['content-type'] = 'application/json'
      return json({ currentPassword: needs.doomed.password, confirm: needs.doomed.username })
    }
    if (operation.fields.length === 0) return null
    headers['content-type'] = 'application/json'
    const body = bodies[name]?.(n)
    return body === undefined ? undefined : json(body)
  }

  return (operation) => {
    const name = nameOf(operation)
    if (pathOf(operation.path, 0) === null || bodyOf(operation, 0, {}) === undefined) return null
    const once = ONCE.has(name)
    const recordings = OF_RECORDINGS.test(name) ? Object.entries(needs.filled.large) : [['', '']]
    return recordings.flatMap(([kind, recordingId = '']) =>
      (queries[name] ?? [{}]).map((query): Call => {
        const label = [
          kind,
          ...Object.values(query).filter((value) => /^(?:days|broadcasts|incidents|true|waiting)$/.test(value)),
        ]
        const search = new URLSearchParams(query).toString()
        return {
          ...{ operation: name, alone: once ? 1 : needs.aloneCalls, atOnce: once ? 0 : needs.atOnceOf(name) },
          ...needs.around[name],
          name: [name, ...label.filter(Boolean)].join(' '),
          request: (n) => {
            const headers = headersOf(name)
            const body = bodyOf(operation, n, headers) ?? null
            const plain = recordingId ? operation.path.replace('{id}', recordingId) : operation.path
            return { method: operation.method, path: `${pathOf(plain, n)}${search && `?${search}`}`, headers, body }
          },
        }
      }),
    )
  }
}

const json = (body: unknown): Buffer => Buffer.from(JSON.stringify(body))

function form(clip: Buffer, headers: Record<string, string>): Buffer {
  const boundary = 'batas'
  headers['content-type'] = `multipart/form-data; boundary=${boundary}`
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="video"; filename="${randomUUID()}.mp4"\r\n\r\n`
  return Buffer.concat([Buffer.from(head), clip, Buffer.from(`\r\n--${boundary}--\r\n`)])
}
