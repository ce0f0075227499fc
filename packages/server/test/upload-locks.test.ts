import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createUploadLocks } from '../src/modules/library/resumable/upload-locks.ts'
import { REPO_DATABASES, type RepoDatabase } from './support/repo-databases.ts'

const TURNS = 4
/** A holder is gone after this: it beats each second. */
const GONE_MS = 1_200
const NEVER = new AbortController().signal

describe.each(REPO_DATABASES)('[MANY-01] who writes to an upload, on $name', ({ open }) => {
  let database: RepoDatabase
  beforeAll(async () => {
    database = await open()
  })
  afterAll(() => database.close())

  it('is one at a time, however many come from two machines; who comes later has the right of way', async () => {
    const machines = [createUploadLocks(database.db), createUploadLocks(database.db)]
    let writing = 0
    let most = 0
    let asked = 0
    let toCome = TURNS
    const write = async (turn: number) => {
      const lock = machines[turn % 2]?.newLock('upload')
      const letGo = Promise.withResolvers<void>()
      await lock?.lock(NEVER, () => {
        asked++
        letGo.resolve()
      })
      most = Math.max(most, ++writing)
      // Long enough to be asked to end; nobody asks the last one.
      if (--toCome > 0) await Promise.race([letGo.promise, sleep(5_000)])
      writing--
      await lock?.unlock()
    }
    const turns: Promise<void>[] = []
    for (let turn = 0; turn < TURNS; turn++) {
      turns.push(write(turn))
      await sleep(100)
    }
    await Promise.all(turns)
    expect(most).toBe(1)
    expect(asked).toBeGreaterThan(0)
    expect(await database.db.selectFrom('upload_locks').selectAll().execute()).toEqual([])
  })

  it('is another one once a holder has shown no life for a while, and not before', async () => {
    await database.db.insertInto('upload_locks').values({ id: 'left', holder: 'a program that is gone' }).execute()
    const lock = createUploadLocks(database.db, { goneMs: GONE_MS }).newLock('left')
    const begunAt = performance.now()
    await lock.lock(NEVER, () => {})
    expect(performance.now() - begunAt).toBeGreaterThan(GONE_MS)
    await lock.unlock()
  })

  it('waits no longer than its request', async () => {
    const [held, waiting] = [createUploadLocks(database.db), createUploadLocks(database.db)].map((locks) =>
      locks.newLock('held'),
    )
    await held?.lock(NEVER, () => {})
    await expect(waiting?.lock(AbortSignal.timeout(500), () => {})).rejects.toMatchObject({ status_code: 500 })
    await held?.unlock()
  })
})
