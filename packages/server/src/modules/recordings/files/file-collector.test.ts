import { mkdir, open, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type TempDir, tempDir } from '@siarin/testkit/temp-dir'
import { waitFor } from '@siarin/testkit/wait-for'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { processBirth } from '../../../platform/process/detached.ts'
import { createFileCollector, type FileCollectorDeps } from './file-collector.ts'
import { createRecordedSessions } from './sessions.ts'

const STILL_MS = 200
const SOON = { everyMs: 10, timeoutMs: 10_000 }
const PACKET_BYTES = 188
/** More than 64 MB; they are holes. */
const LARGE_BYTES = 400_000 * PACKET_BYTES
const NAME = '000000.ts'

let folder: TempDir
let running: { stop(): Promise<void>; release(): void } | null = null

beforeEach(async () => {
  folder = await tempDir('collector')
})

afterEach(async () => {
  running?.release()
  await running?.stop()
  running = null
  await folder.remove()
})

async function writePiece(path: string, bytes: number): Promise<void> {
  const file = await open(path, 'w')
  for (const position of [0, bytes - PACKET_BYTES])
    await file.write(Buffer.alloc(PACKET_BYTES, 0x47), 0, undefined, position)
  await file.close()
}

interface Recorded {
  readonly id: string
  readonly bytes?: number
  /** Whether the store takes its piece at once. */
  readonly isStored?: boolean
  readonly isDiskHanging?: boolean
  readonly isDiskStill?: boolean
}

/** Recorders of which each has a finished piece and one that grows. What the store does not take at once, it takes when it is released. */
async function collect(recorded: readonly Recorded[], deps: Partial<FileCollectorDeps> = {}) {
  const isReleased = Promise.withResolvers<void>()
  const ended = new Map<string, string>()
  const stored = new Set<string>()
  const sizes = new Map<string, number>()
  for (const { id, bytes = PACKET_BYTES } of recorded) {
    await mkdir(join(folder.path, id))
    await writePiece(join(folder.path, id, NAME), bytes)
    sizes.set(id, bytes)
  }
  const of = (id: string): Recorded => recorded.find((one) => one.id === id) ?? { id }
  let growing = 0
  let rounds = 0
  const collector = createFileCollector({
    ...{ clock: { now: () => Date.now() }, log: pino({ level: 'silent' }), ffprobePath: '/none' },
    timings: { recordingFiles: { pieceSeconds: 10, takeMs: 10, stillMs: STILL_MS } },
    spareBytes: async () => 1e12,
    roomLeftOf: async () => 1e12,
    broadcastOf: async (id) => ({ broadcastId: id, userId: id, title: null, source: '' }),
    repo: {
      recordingAt: async ({ broadcastId: id }) => ({ id, isClosed: ended.has(id) }),
      add: async ({ recordingId }) => recordingId,
    },
    storage: {
      head: async () => null,
      async put(key, path) {
        if (!of(key).isStored) await isReleased.promise
        await rm(path)
        stored.add(key)
      },
    },
    endRecording: async (id, _at, why) => void ended.set(id, why),
    sessions: {
      async list() {
        rounds++
        return recorded.map(({ id }) => ({ streamId: id, folder: join(folder.path, id), startedAt: 0, isOff: false }))
      },
      async read({ streamId: id }) {
        if (of(id).isDiskHanging) await isReleased.promise
        const finished = stored.has(id) || ended.has(id) ? [] : [{ name: NAME, bytes: sizes.get(id) ?? 0 }]
        const next = { name: '000001.ts', bytes: of(id).isDiskStill ? 1 : growing++ }
        const listed = new Map(
          [NAME, next.name].map((name, index) => [name, { start: 10 * index, end: 10 * index + 10 }]),
        )
        return { isRunning: true, seconds: 60, isFlooded: false, files: [...finished, next], listed }
      },
      ...{ remove: async () => {}, empty: async () => {}, switchOff: async () => {} },
    },
    ...deps,
  })
  collector.start()
  running = { stop: () => collector.stop(), release: () => isReleased.resolve() }
  return { ended, stored, release: running.release, rounds: () => rounds }
}

const FIVE = ['a', 'b', 'c', 'd', 'e'].map((id) => ({ id }))
const DISK_GONE = FIVE.map(({ id }) => [id, 'recorder-failed'])

describe('[REC-02] what was recorded', () => {
  it('waits for a store that stands still, for longer than a disk may', async () => {
    const { ended, stored, release, rounds } = await collect(FIVE)
    await waitFor('all to be looked at', async () => rounds() > 1, SOON)
    await sleep(5 * STILL_MS)
    expect([...ended]).toEqual([])
    release()
    await waitFor('all of it in the store', async () => stored.size === FIVE.length, SOON)
    expect([...ended]).toEqual([])
  })

  it('goes past large pieces that are long on their way to the store', async () => {
    const large = FIVE.map(({ id }) => ({ id, bytes: LARGE_BYTES }))
    const { ended, stored, release } = await collect([...large, { id: 'small', isStored: true }])
    await waitFor('the small one in the store', async () => stored.has('small'), SOON)
    release()
    await waitFor('all of it in the store', async () => stored.size === FIVE.length + 1, SOON)
    expect([...ended]).toEqual([])
  })

  it('ends with its disk, also while it waits for the store', async () => {
    const { ended } = await collect([{ id: 'still', isDiskStill: true }, ...FIVE])
    await waitFor('the end of the one', async () => ended.size > 0, SOON)
    await sleep(2 * STILL_MS)
    expect([...ended]).toEqual([['still', 'recorder-failed']])
  })

  it('ends while it waits for the store, once the disk is full', async () => {
    let spareBytes = 1e12
    const { ended } = await collect(FIVE, { spareBytes: async () => spareBytes })
    spareBytes = 0
    await waitFor('the end of all', async () => ended.size === FIVE.length, SOON)
    expect(new Set(ended.values())).toEqual(new Set(['disk-full']))
  })

  it('ends while it waits for the store, once more waits than its plan has room for', async () => {
    const { ended } = await collect([{ id: 'large', bytes: LARGE_BYTES }], { roomLeftOf: async () => LARGE_BYTES })
    expect(await waitFor('its end', async () => ended.get('large'), SOON)).toBe('room-full')
  })

  it('ends where the disk does not answer, also of those that wait for a place', async () => {
    const { ended } = await collect(FIVE.map(({ id }) => ({ id, isDiskHanging: true })))
    await waitFor('the end of all', async () => ended.size === FIVE.length, SOON)
    expect([...ended].toSorted()).toEqual(DISK_GONE)
  })
})

it('[SAFE-04] a hundred pieces of one account that are on their way to the store delay none of another', async () => {
  const isAsked = Promise.withResolvers<void>()
  const puts: (() => void)[] = []
  const [begun, waiting] = [[] as string[], new Set<string>()]
  let isOver = false
  const ids = [...Array.from({ length: 100 }, (_, index) => `many ${index}`), 'one']
  await collect(
    ids.map((id) => ({ id })),
    {
      async broadcastOf(id) {
        if (id === 'one') await isAsked.promise
        return { broadcastId: id, userId: `owner of ${id.slice(0, 4)}`, title: null, source: '' }
      },
      repo: {
        recordingAt: async ({ broadcastId: id }) => ({ id, isClosed: false }),
        async add({ recordingId }) {
          waiting.add(recordingId)
          return recordingId
        },
      },
      storage: {
        head: async () => null,
        async put(key, path) {
          begun.push(key)
          if (!isOver) await new Promise<void>((resolve) => puts.push(resolve))
          await rm(path)
        },
      },
    },
  )
  await waitFor('the pieces of the one to wait', async () => waiting.size === 100, SOON)
  isAsked.resolve()
  await waitFor('that of the other to wait too', async () => waiting.has('one'), SOON)
  // Two of the three that are under way have come to their end.
  for (const end of puts.slice(0, 2)) end()
  await waitFor('the next two to begin', async () => begun.length >= 5, SOON)
  expect(begun.slice(0, 5)).toContain('one')
  isOver = true
  for (const end of puts) end()
})

describe('[SAFE-04] torn sessions of one account', () => {
  /** Sessions of which each brings nothing but work; the folder of the other account comes last. */
  async function collectTorn(torn: number) {
    const steps: string[] = []
    const taken = Promise.withResolvers<void>()
    const sessionOf = (streamId: string, startedAt: number) => ({
      ...{ streamId, startedAt, isOff: false },
      folder: join(folder.path, streamId, String(startedAt)),
    })
    let left = [...Array.from({ length: torn }, (_, index) => sessionOf('flaps', index)), sessionOf('steady', 0)]
    const of = await collect([], {
      broadcastOf: async (id) => ({ broadcastId: id, userId: `owner of ${id}`, title: null, source: '' }),
      sessions: {
        list: async () => left,
        async read({ streamId }) {
          steps.push(streamId)
          if (streamId === 'steady') taken.resolve()
          return { isRunning: false, seconds: 60, isFlooded: false, files: [], listed: new Map() }
        },
        async remove(gone) {
          await sleep(1)
          // It is recorded for as long as it is on air.
          if (gone.streamId === 'flaps') left = left.filter((one) => one.folder !== gone.folder)
        },
        ...{ empty: async () => {}, switchOff: async () => {} },
      },
    })
    return { ...of, steps, taken: taken.promise }
  }

  it('delay no piece of another account', async () => {
    const { steps, taken } = await collectTorn(500)
    await taken
    expect(steps.indexOf('steady')).toBeLessThanOrEqual(2)
  })

  it('delay none that another account finishes while they are worked off', async () => {
    const { steps } = await collectTorn(500)
    await waitFor('some of them', async () => steps.length > 200, SOON)
    expect(steps.filter((one) => one === 'steady').length).toBeGreaterThanOrEqual(5)
  })
})

describe('[SAFE-04] a source whose pictures are to be shown in years', () => {
  /** A recorder that is still there, with two sound pieces; `rogue`: from when to when each of those behind them lasts. */
  async function collectRogue(rogue: readonly (readonly [number, number])[]) {
    const startedAt = Date.now() - 25_000
    const sessions = createRecordedSessions({ dataDir: folder.path, clock: { now: () => Date.now() }, worker: 'w' })
    const ofStream = join(folder.path, 'recording', 'w', 'rogue')
    const path = join(ofStream, String(startedAt))
    await mkdir(path, { recursive: true })
    await writeFile(join(path, 'process'), `${process.pid} ${processBirth(process.pid)}`)
    const spans = [[0, 10], [10, 20], ...rogue] as const
    const nameOf = (index: number) => `${String(index).padStart(6, '0')}.ts`
    for (const index of spans.keys()) await writePiece(join(path, nameOf(index)), PACKET_BYTES)
    await writeFile(
      join(path, 'list.csv'),
      spans.map(([from, to], index) => `${nameOf(index)},${from},${to}\n`).join(''),
    )
    const ended = new Map<string, string>()
    const asked: number[] = []
    const stored: number[] = []
    await collect([], {
      sessions,
      endRecording: async (id, _at, why) => void ended.set(id, why),
      repo: {
        async recordingAt(_, at) {
          asked.push(at)
          return { id: 'one', isClosed: ended.has('one') }
        },
        async add({ at }) {
          stored.push(at - startedAt)
          return 'key'
        },
      },
      storage: { head: async () => null, put: (_, piece) => rm(piece) },
    })
    const isEmpty = async () => {
      const [name = ''] = await readdir(ofStream)
      return name.endsWith('.off') && (await readdir(join(ofStream, name))).length === 3
    }
    await waitFor('it to be switched off, and emptied', isEmpty, SOON)
    expect([...ended]).toEqual([['one', 'recorder-failed']])
    expect(Math.max(...asked)).toBeLessThanOrEqual(Date.now())
    return stored
  }

  it('is recorded up to there, and no more', async () => {
    const year = 31_536_000
    const rogue = Array.from(
      { length: 50 },
      (_, index) => [8 * year - 43_200 * index, 8 * year - 43_200 * index] as const,
    )
    expect(await collectRogue(rogue)).toEqual([0, 10_000])
  })

  it('leaves thousands of pieces, which nobody reads', async () => {
    expect(await collectRogue(Array.from({ length: 3_000 }, () => [20, 20] as const))).toEqual([])
  })
})
