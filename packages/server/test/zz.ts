import SqliteDatabase from 'better-sqlite3'
import { openSqlite, migrate } from '../src/platform/db/database.ts'
import { createStreamsRepo } from '../src/modules/streams/streams.repo.ts'
const db = openSqlite('/tmp/zz.db'); await migrate(db)
const repo = createStreamsRepo(db)
const other = new SqliteDatabase('/tmp/zz.db'); other.exec('begin exclusive')
const t = Date.now()
const log = (...a: unknown[]) => console.log(Date.now() - t, ...a)
const st = { state: { at: 'ended', reason: 'stopped', cause: null }, reason: null } as const
for (let i = 0; i < 3; i++) repo.change({ id: 'x' + i, epoch: 1 }, st).then(() => log('w ok'), (e) => log('w', e.code))
repo.change({ id: 'x', epoch: 1 }, st, [{ at: 1, kind: 'live', reason: null, offAirMs: null }]).then(() => log('tx ok'), (e) => log('tx', e.code, e.message))
for (let i = 0; i < 5; i++) { await repo.byId('x'); log('read') }
setTimeout(() => { other.exec('rollback'); log('unlocked') }, 2000)
