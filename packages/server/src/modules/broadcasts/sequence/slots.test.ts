import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { open as openFile, readdir, readFile, readlink, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createSlotReader } from '../../../../test/support/slot-reader.ts'
import { linksIn } from './slot-links.ts'
import { createSlots, type SlotClip, type SlotEntry } from './slots.ts'

/** What another process does in the moment before a link is replaced. */
const moment = vi.hoisted(() => ({ beforeRename: () => {} }))
vi.mock('node:fs', async (load) => {
  const real = await load<typeof import('node:fs')>()
  const renameSync: typeof real.renameSync = (from, to) => {
    if (String(to).endsWith('.mp4')) moment.beforeRename()
    real.renameSync(from, to)
  }
  return { ...real, renameSync }
})

let directory: string
const newDirectory = (): string => {
  const made = mkdtempSync(join(tmpdir(), 'siarin-slots-'))
  for (const name of ['a', 'b', 'c']) writeFileSync(join(made, name), name)
  return made
}
beforeEach(() => {
  directory = newDirectory()
})
afterEach(() => rm(directory, { recursive: true }))

const LIST = { seconds: 3, startSeconds: 0, outpoint: null, bodySeconds: null }
const clip = (name: string): SlotClip => ({
  ...{ path: join(directory, name), videoId: name, recipe: null },
  loop: { list: LIST, tailPath: null, isWhole: true },
})
const looped = (name: string): SlotEntry => ({ clip: { ...clip(name), loop: null }, place: null })
const listed = (name: string, round: number): SlotEntry => ({ clip: clip(name), place: { itemId: name, round } })
const START = { fromSeconds: 0, clipSeconds: 3 }
const named = (entry: SlotEntry | null) => entry && [entry.clip.path.slice(-1), entry.place?.round ?? null]

async function begun(first: SlotEntry, next?: SlotEntry | null) {
  const slots = createSlots(directory)
  await slots.write(first, { ...START, meanSeconds: first.place ? 3 : null, next })
  const reader = createSlotReader(directory)
  slots.follow(reader.isOpen)
  reader.goOn()
  return { slots, reader }
}
const pointsTo = async (slot: 0 | 1) => (await readlink(join(directory, `${slot}.mp4`))).split('/').at(-1)

describe('the two slots of a loop', () => {
  it('have one clip behind both at first, and a list that names them', async () => {
    const slots = createSlots(directory)
    const { listFile, wraps } = await slots.write(looped('a'), START)
    expect(await readFile(listFile, 'utf8')).toContain('file 0.mp4\nfile 1.mp4')
    expect([wraps, await pointsTo(0), await pointsTo(1)]).toEqual([true, 'a', 'a'])
  })

  it('are both pointed at another one: what plays is open already', async () => {
    const { slots, reader } = await begun(looped('a'))
    await slots.pointNext(looped('b'))
    expect(named(slots.reading())).toEqual(['a', null])
    expect([reader.goOn(), named(slots.reading())]).toEqual(['b', ['b', null]])
    expect([reader.goOn(), named(slots.reading())]).toEqual(['b', ['b', null]])
  })

  it('leave a list that ffmpeg may be reading alone, and never write into one that an earlier run left', async () => {
    const list: SlotEntry = { clip: { ...clip('a'), loop: { list: LIST, tailPath: null } }, place: null }
    const { slots } = await begun(list)
    const written = await readlink(join(directory, '0.mp4'))
    const held = await openFile(written)
    const before = await held.stat()
    for (let pass = 0; pass < 3; pass++) await slots.pointNext(list)
    expect((await stat(written)).ino).toBe(before.ino)
    await createSlots(directory, 'by-earlier-run').pointNext(list)
    // The old file is whole for a reader that has it open, and so is the new one.
    expect((await held.stat()).mtimeMs).toBe(before.mtimeMs)
    expect((await held.readFile('utf8')).length).toBeGreaterThan(0)
    expect(await readFile(written, 'utf8')).toContain('duration 3.000000')
    await held.close()
  })
})

describe('the slots of a playlist', () => {
  it('lead to the file itself where a list would say no more than the file does', async () => {
    const needsList = { ...clip('b'), loop: { list: LIST, tailPath: null } }
    await begun(listed('a', 0), { clip: needsList, place: { itemId: 'b', round: 0 } })
    expect([await pointsTo(0), await pointsTo(1)]).toEqual(['a', expect.stringMatching(/\.ffconcat$/)])
    // Either may come to lie behind a slot.
    expect(await readFile(join(directory, 'list'), 'utf8')).toContain('option safe 0')
  })

  it('are pointed one at a time, by where ffmpeg is now', async () => {
    const { slots, reader } = await begun(listed('a', 0), listed('b', 0))
    await slots.pointNext(listed('c', 0))
    expect([await pointsTo(0), await pointsTo(1)]).toEqual(['a', 'c'])
    reader.goOn()
    await slots.pointNext(listed('b', 1))
    expect([await pointsTo(0), await pointsTo(1)]).toEqual(['b', 'c'])
  })

  it('have a few lists of their own at most, however long one video follows itself', async () => {
    const { slots, reader } = await begun(listed('a', 0), listed('a', 1))
    for (let round = 1; round < 50; round++) {
      expect([reader.goOn(), named(slots.reading())]).toEqual(['a', ['a', round]])
      await slots.pointNext(listed('a', round + 1))
    }
    const lists = (await readdir(directory)).filter((name) => name.endsWith('.ffconcat'))
    expect(lists.length).toBeLessThanOrEqual(3)
  })

  it('lead nowhere where nothing follows, until something does', async () => {
    const { slots, reader } = await begun(listed('a', 0), null)
    expect([slots.hasEnd(), await pointsTo(1)]).toEqual([true, 'end'])
    await slots.pointNext(listed('b', 0))
    expect([slots.hasEnd(), reader.goOn()]).toEqual([false, 'b'])
  })

  it('of an earlier run are known by what it wrote beside them, also after somebody has looked at them', async () => {
    const { reader } = await begun(listed('a', 0), listed('b', 0))
    reader.goOn()
    for (const slot of [0, 1]) readFileSync(join(directory, `${slot}.mp4`))
    const slots = createSlots(directory, 'by-earlier-run')
    slots.follow(reader.isOpen)
    expect([named(slots.reading()), slots.told().map(named)]).toEqual([
      ['b', 0],
      [
        ['a', 0],
        ['b', 0],
      ],
    ])
    await slots.pointNext(listed('c', 0))
    expect([reader.goOn(), named(slots.reading()), reader.goOn()]).toEqual(['c', ['c', 0], 'b'])
  })

  it('of an earlier version are known by the links, and both are pointed while that tells nothing', async () => {
    const { reader } = await begun(listed('a', 0), listed('b', 0))
    rmSync(join(directory, 'slots'))
    const slots = createSlots(directory, 'by-earlier-run')
    slots.follow(reader.isOpen)
    expect([slots.reading(), slots.told()]).toEqual([null, []])
    await slots.pointNext(listed('c', 0))
    expect([await pointsTo(0), await pointsTo(1)]).toEqual(['a', 'c'])
    const blind = createSlots(directory, 'by-earlier-run')
    await blind.pointNext(listed('b', 1))
    expect([reader.goOn(), reader.goOn()]).toEqual(['b', 'b'])
  })

  it('are known by their notes only while their links lead where those say: an earlier version has pointed them since', async () => {
    const { reader } = await begun(listed('a', 0), listed('b', 0))
    linksIn(directory).point(1, join(directory, 'c'))
    reader.goOn()
    const slots = createSlots(directory, 'by-earlier-run')
    slots.follow(reader.isOpen)
    expect([slots.reading(), slots.told()]).toEqual([null, []])
    await slots.pointNext(listed('b', 1))
    expect([await pointsTo(0), await pointsTo(1)]).toEqual(['b', 'c'])
    expect([reader.goOn(), named(slots.reading())]).toEqual(['b', ['b', 1]])
  })

  it('have what they lead to, where the program ended before it pointed what it had noted', async () => {
    const { slots, reader } = await begun(listed('a', 0), listed('b', 0))
    await slots.pointNext(listed('c', 0))
    linksIn(directory).point(1, join(directory, 'b'))
    const next = createSlots(directory, 'by-earlier-run')
    next.follow(reader.isOpen)
    expect(next.told().map(named)).toEqual([
      ['a', 0],
      ['b', 0],
    ])
    expect([reader.goOn(), named(next.reading())]).toEqual(['b', ['b', 0]])
  })

  it('always tell what is read, and what was said last comes next, whatever happens in between', async () => {
    const step = fc.oneof(
      { weight: 3, arbitrary: fc.record({ kind: fc.constant('point'), name: fc.constantFrom('a', 'b') }) },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant('point-in-time'), name: fc.constantFrom('a', 'b') }) },
      { weight: 3, arbitrary: fc.record({ kind: fc.constantFrom('go-on', 'look', 'restart'), name: fc.constant('') }) },
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        rmSync(directory, { recursive: true })
        directory = newDirectory()
        let { slots, reader } = await begun(listed('a', 0), listed('b', 0))
        let [plays, next, number]: [(string | number)[], (string | number)[] | null, number] = [['a', 0], ['b', 0], 1]
        const goOn = (): void => {
          const found = reader.goOn()
          if (next) [plays, next] = [next, null]
          else plays = [] // Nobody said what follows: it plays what was there before.
          if (plays.length > 0) expect(found).toBe(plays[0])
        }
        for (const { kind, name } of steps) {
          if (kind === 'go-on' && next) goOn()
          if (kind === 'look') expect(named(slots.reading())).toEqual(plays)
          if (kind === 'restart') {
            slots = createSlots(directory, 'by-earlier-run')
            slots.follow(reader.isOpen)
          }
          if (!kind.startsWith('point')) continue
          moment.beforeRename = () => {
            moment.beforeRename = () => {}
            if (kind === 'point-in-time' && next) goOn()
          }
          await slots.pointNext(listed(name, ++number))
          next = [name, number]
          moment.beforeRename = () => {}
          expect(named(slots.reading())).toEqual(plays)
        }
      }),
      { numRuns: 60 },
    )
  })
})
