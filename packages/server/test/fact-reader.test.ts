import { sql } from 'kysely'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createChanges } from '../src/platform/db/changes.ts'
import type { Db } from '../src/platform/db/database.ts'
import { createFactReader, holdPlace, type ToldFact } from '../src/platform/outbox/fact-reader.ts'
import { writeFacts } from '../src/platform/outbox/facts.ts'
import { addUser, REPO_DATABASES, type RepoDatabase } from './support/repo-databases.ts'

const until = (assertion: () => void) => vi.waitFor(assertion, { timeout: 120_000, interval: 10 })
const log = pino({ level: 'silent' })

describe.each(REPO_DATABASES)('a reader of the outbox, on $name', ({ name: database, open }) => {
  let opened: RepoDatabase
  let db: Db
  let userId: string
  let ends: (() => Promise<void>)[]
  let hasDiskRoom: boolean

  beforeEach(async () => {
    ends = []
    hasDiskRoom = true
    opened = await open()
    db = opened.db
    userId = await addUser(db)
  })
  afterEach(async () => {
    for (const end of ends) await end()
    await opened.close()
  })

  const tell = (id: string, inside: Db = db) =>
    writeFacts(inside, { kind: 'stream', id, userId }, [{ at: 1, fact: 'stream.live', payload: {} }])

  async function read(take: (facts: readonly ToldFact[]) => void | Promise<void> = () => {}, name = 'reader') {
    const taken: string[] = []
    const reader = createFactReader({
      ...{ db, log, name, everyMs: 5, changes: createChanges(), hasDiskRoom: () => hasDiskRoom },
      async take(_, facts) {
        await take(facts)
        taken.push(...facts.map(({ subjectId }) => subjectId))
      },
    })
    await reader.start()
    ends.push(() => reader.stop())
    return { taken, reader }
  }

  it('takes what is told after its first start, in order, once', async () => {
    await tell('before')
    const { taken, reader } = await read()
    for (const id of ['one', 'two', 'three']) await tell(id)
    await until(() => expect(taken).toEqual(['one', 'two', 'three']))
    await reader.stop()
    await tell('four')
    const again = await read()
    await until(() => expect(again.taken).toEqual(['four']))
  })

  it('[SAFE-07] says whose facts wait: what follows from time alone waits for its owner, and not for those who write without end', async () => {
    const other = await addUser(db)
    await db.insertInto('outbox_readers').values({ name: 'reader', after_id: 0 }).execute()
    const waits = () =>
      db.transaction().execute(async (inside) => {
        const factsWaitOf = await holdPlace(inside, 'reader')
        return [await factsWaitOf(userId), await factsWaitOf(other)]
      })
    await writeFacts(db, { kind: 'stream', id: 'flaps', userId: other }, [{ at: 1, fact: 'stream.live', payload: {} }])
    expect(await waits()).toEqual([false, true])
    await tell('own')
    expect(await waits()).toEqual([true, true])
  })

  it('takes more than it takes at once', async () => {
    const { taken } = await read()
    const facts = Array.from({ length: 1_200 }, () => ({ at: 1, fact: 'stream.live', payload: {} }) as const)
    await writeFacts(db, { kind: 'stream', id: 'many', userId }, facts)
    await until(() => expect(taken).toHaveLength(1_200))
  })

  it('takes a fact again whose consequences could not be written, and its followers after it', async () => {
    let fails = 2
    const { taken } = await read(() => {
      if (fails-- > 0) throw new Error('no')
    })
    await tell('one')
    await tell('two')
    await until(() => expect(taken).toEqual(['one', 'two']))
  })

  it('takes and writes nothing while the disk is full, and everything once there is room', async () => {
    hasDiskRoom = false
    const { taken } = await read()
    for (const id of ['one', 'two']) await tell(id)
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(taken).toEqual([])
    hasDiskRoom = true
    await until(() => expect(taken).toEqual(['one', 'two']))
  })

  it('shares the facts with another of its name', async () => {
    const one = await read()
    const two = await read()
    for (let count = 0; count < 50; count++) await tell(`${count}`)
    await until(() => expect(one.taken.length + two.taken.length).toBe(50))
    expect(new Set([...one.taken, ...two.taken]).size).toBe(50)
  })

  it.runIf(database === 'PostgreSQL')(
    'passes over nothing that becomes visible late, and waits for nothing that never comes',
    async () => {
      const { taken } = await read()
      let commit = () => {}
      const held = new Promise<void>((resolve) => {
        commit = resolve
      })
      let wrote = () => {}
      const written = new Promise<void>((resolve) => {
        wrote = resolve
      })
      const late = db.transaction().execute(async (inside) => {
        await tell('late', inside)
        wrote()
        await held
      })
      await written
      await sql`select nextval('outbox_id_seq')`.execute(db)
      await tell('later')
      await new Promise((resolve) => setTimeout(resolve, 100))
      expect(taken).toEqual([])
      commit()
      await late
      await until(() => expect(taken).toEqual(['late', 'later']))
    },
  )
})
