import { join } from 'node:path'
import { tempDir } from '@siarin/testkit/temp-dir'
import SqliteDatabase from 'better-sqlite3'
import fastify from 'fastify'
import { describe, expect, it } from 'vitest'
import { StoreAwayError } from '../errors.ts'
import { answerErrors } from './error-answers.ts'

async function answerTo(work: () => void) {
  const app = fastify()
  answerErrors(app)
  app.post('/', async () => work())
  const { statusCode, headers, body } = await app.inject({ method: 'POST', url: '/' })
  return { status: statusCode, retryAfter: headers['retry-after'], body: JSON.parse(body) }
}
const BUSY = { status: 503, retryAfter: '5', body: { success: false, code: 'server_busy' } }

describe('a database that another program holds', () => {
  it('is answered for with 503 and when to come again, on SQLite', async () => {
    const folder = await tempDir('locked-database')
    const [one, other] = ['', ''].map(() => new SqliteDatabase(join(folder.path, 'x.db'), { timeout: 0 }))
    one?.exec('begin immediate')
    expect(await answerTo(() => void other?.exec('create table t (x)'))).toMatchObject(BUSY)
    one?.close()
    other?.close()
    await folder.remove()
  })

  it('likewise on PostgreSQL', async () => {
    const refused = Object.assign(new Error('canceling statement due to lock timeout'), { code: '55P03' })
    const answer = await answerTo(() => {
      throw refused
    })
    expect(answer).toMatchObject(BUSY)
  })
})

it('a store that is away is answered for with 503, and nothing of it is told', async () => {
  const answer = await answerTo(() => {
    throw new StoreAwayError(new Error('connect ECONNREFUSED 10.0.0.7:9000'))
  })
  expect(answer).toMatchObject(BUSY)
  expect(JSON.stringify(answer)).not.toContain('10.0.0.7')
})
