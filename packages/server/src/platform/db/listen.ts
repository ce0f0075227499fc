import type { Secret } from '@siarin/media/secret'
import pg from 'pg'
import type { Log } from '../log.ts'

const AGAIN_MS = 1_000
const CONNECT_MS = 5_000

/** What others tell by NOTIFY, on a connection of its own. Some of it gets lost: a hint, never the truth. Answers how to stop. */
export function listenPostgres(url: Secret, channel: string, onTold: (told: string) => void, log: Log): () => void {
  let client: pg.Client | null = null
  let timer: NodeJS.Timeout | undefined
  let isClosed = false

  function connect(): void {
    const current = new pg.Client({
      connectionString: url.reveal(),
      connectionTimeoutMillis: CONNECT_MS,
      keepAlive: true,
    })
    client = current
    const again = (): void => {
      if (isClosed || client !== current) return
      client = null
      timer = setTimeout(connect, AGAIN_MS)
      current.end().catch(() => {})
    }
    current.on('error', (error) => {
      log.debug({ err: error.message }, 'the connection for hints was lost')
      again()
    })
    current.on('end', again)
    current.on('notification', ({ payload = '' }) => onTold(payload))
    current
      .connect()
      .then(() => current.query(`listen ${channel}`))
      .catch(again)
  }

  connect()
  return () => {
    isClosed = true
    clearTimeout(timer)
    client?.end().catch(() => {})
  }
}
