import { readFileSync } from 'node:fs'
import { mkdtemp, open as openFile, readdir, readFile, readlink, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createSlots, type SlotClip } from './slots.ts'

/** What another process does in the moment before a link is replaced. */
const moment = vi.hoisted(() => ({ beforeRename: () => {} }))
vi.mock('node:fs', async (load) => {
  const real = await load<typeof import('node:fs')>()
  const renameSync: typeof real.renameSync = (from, to) => {
    moment.beforeRename()
    real.renameSync(from, to)
  }
  return { ...real, renameSync }
})

let directory: string
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'siarin-slots-'))
  for (const name of ['a', 'b', 'c']) await writeFile(file(name), name)
})
afterEach(() => rm(directory, { recursive: true }))

const file = (name: string): string => join(directory, name)
const clip = (name: string): SlotClip => ({ path: file(name), loop: null })
const START = { fromSeconds: 0, clipSeconds: 3 }
/** As ffmpeg does when it comes to a slot, which is never in the very moment in which that was pointed. Answers what it plays. */
async function open(slot: 0 | 1): Promise<string> {
  await sleep(20)
  return readFile(join(directory, `${slot}.mp4`), 'utf8')
}
/** For the end of a test: reading a link counts as following it. */
const pointsTo = async (slot: 0 | 1) => (await readlink(join(directory, `${slot}.mp4`))).slice(-1)

async function begun() {
  const slots = createSlots(directory, { begins: true })
  await slots.write(clip('a'), START)
  await open(0)
  return slots
}

describe('the two slots', () => {
  it('have one clip behind both at first, and a list that names them', async () => {
    const slots = createSlots(directory, { begins: true })
    const { listFile, wraps } = await slots.write(clip('a'), START)
    expect(await readFile(listFile, 'utf8')).toContain('file 0.mp4\nfile 1.mp4')
    expect([wraps, await open(0), await open(1)]).toEqual([true, 'a', 'a'])
  })

  it('are pointed one at a time: what plays is never touched', async () => {
    const slots = await begun()
    await slots.pointNext(clip('b'))
    expect(await open(1)).toBe('b')
    expect(slots.hasGoneOn()).toBe(true)
    await slots.pointNext(clip('c'))
    expect([await pointsTo(0), await pointsTo(1)]).toEqual(['c', 'b'])
  })

  it('leave what plays alone until it has come to its end', async () => {
    const slots = await begun()
    await slots.pointNext(clip('b'))
    await slots.pointNext(clip('c'))
    expect([await pointsTo(0), await pointsTo(1)]).toEqual(['a', 'c'])
  })

  it('are pointed by where ffmpeg is now, not by where it was last seen', async () => {
    const slots = await begun()
    await open(1)
    await slots.pointNext(clip('b'))
    expect([await pointsTo(0), await pointsTo(1)]).toEqual(['b', 'a'])
  })

  it('tell the same clip twice in a row apart', async () => {
    const slots = await begun()
    const said: boolean[] = []
    for (const slot of [1, 0, 1, 0] as const) {
      said.push(slots.hasGoneOn())
      await open(slot)
      said.push(slots.hasGoneOn())
      await slots.pointNext(clip('a'))
    }
    expect(said).toEqual([false, true, false, true, false, true, false, true])
  })

  it('say that ffmpeg has gone on once, however late they are pointed again', async () => {
    const slots = await begun()
    await open(1)
    expect([slots.hasGoneOn(), slots.hasGoneOn(), slots.hasGoneOn()]).toEqual([true, false, false])
  })

  it('that an earlier run left are both pointed until it is seen which comes next', async () => {
    await begun()
    await open(1)
    const slots = createSlots(directory, { begins: false })
    expect(slots.hasGoneOn()).toBe(false)
    await slots.pointNext(clip('b'))
    expect(slots.hasGoneOn()).toBe(false)
    expect(await open(0)).toBe('b')
    expect(slots.hasGoneOn()).toBe(true)
    await slots.pointNext(clip('c'))
    expect([await pointsTo(0), await pointsTo(1)]).toEqual(['b', 'c'])
  })

  it('go on by what else was seen, where the file system keeps no times of access', async () => {
    const slots = await begun()
    await slots.pointNext(clip('b'))
    slots.goOn()
    await slots.pointNext(clip('b'))
    expect([await pointsTo(0), await pointsTo(1)]).toEqual(['b', 'b'])
  })

  it('say nothing once they are gone', async () => {
    const slots = await begun()
    await rm(join(directory, '1.mp4'))
    expect(slots.hasGoneOn()).toBe(false)
  })

  it('leave a list that ffmpeg may be reading alone, and never write into one that an earlier run left', async () => {
    const list = { seconds: 3, startSeconds: 0, outpoint: null, bodySeconds: null }
    const looped: SlotClip = { path: file('a'), loop: { list, tailPath: null } }
    const slots = createSlots(directory, { begins: true })
    await slots.write(looped, START)
    const written = await readlink(join(directory, '0.mp4'))
    const held = await openFile(written)
    const before = await held.stat()
    for (let pass = 0; pass < 3; pass++) await slots.pointNext(looped)
    expect((await stat(written)).ino).toBe(before.ino)
    await createSlots(directory, { begins: false }).pointNext(looped)
    // The old file is whole for who has it open, and so is the new one.
    expect((await held.stat()).mtimeMs).toBe(before.mtimeMs)
    expect((await held.readFile('utf8')).length).toBeGreaterThan(0)
    expect(await readFile(written, 'utf8')).toContain('duration 3.000000')
    await held.close()
  })

  it('lead to the file itself where a list would say no more than the file does', async () => {
    const list = { seconds: 3, startSeconds: 0, outpoint: null, bodySeconds: null }
    const looped = (name: string, isWhole: boolean): SlotClip => ({
      path: file(name),
      loop: { list, tailPath: null, isWhole },
    })
    const slots = createSlots(directory, { begins: true })
    const { listFile } = await slots.write(looped('a', true), { ...START, meanSeconds: 3, next: looped('b', false) })
    expect(await pointsTo(0)).toBe('a')
    expect(await readlink(join(directory, '1.mp4'))).toMatch(/\.ffconcat$/)
    // Either may come to lie behind a slot.
    expect(await readFile(listFile, 'utf8')).toContain('option safe 0')
  })
})

describe('the slots of a playlist', () => {
  it('have from the start what follows, or lead nowhere', async () => {
    const slots = createSlots(directory, { begins: true })
    const b = clip('b')
    await slots.write(clip('a'), { ...START, meanSeconds: 3, next: b })
    expect([await open(0), await open(1)]).toEqual(['a', 'b'])
    expect([slots.hasGoneOn(), slots.playing()]).toEqual([true, b])
    await createSlots(directory, { begins: true }).write(clip('a'), { ...START, meanSeconds: 3, next: null })
    await expect(open(1)).rejects.toThrow('ENOENT')
  })

  it('know that ffmpeg came to the next one in the moment in which that was pointed at something else', async () => {
    const slots = await begun()
    const [b, c] = [clip('b'), clip('c')]
    await slots.pointNext(b)
    await sleep(20)
    let read = ''
    moment.beforeRename = () => {
      moment.beforeRename = () => {}
      read = readFileSync(join(directory, '1.mp4'), 'utf8')
    }
    await slots.pointNext(c)
    expect(read).toBe('b')
    expect([slots.hasGoneOn(), slots.playing()]).toEqual([true, b])
    expect(await pointsTo(0)).toBe('c')
  })

  it('are pointed at what was asked for last', async () => {
    const slots = await begun()
    await Promise.all([slots.pointNext(clip('b')), slots.pointNext(clip('c'))])
    expect(await pointsTo(1)).toBe('c')
    expect(await readdir(directory)).not.toContain('1.mp4.new')
  })

  it('say that their times can be trusted once one has told something', async () => {
    const slots = createSlots(directory, { begins: true })
    await slots.write(clip('a'), START)
    expect([slots.hasGoneOn(), slots.keepsTimes()]).toEqual([false, false])
    await open(0)
    expect([slots.hasGoneOn(), slots.keepsTimes()]).toEqual([false, true])
  })

  it('tell only once of what was seen by other means', async () => {
    const slots = await begun()
    await slots.pointNext(clip('b'))
    slots.goOn()
    expect(slots.hasGoneOn()).toBe(false)
    expect(slots.playing()).toMatchObject({ path: file('b') })
  })

  it('tell what is read now, also where somebody pointed the next one just after ffmpeg had gone on', async () => {
    const slots = await begun()
    const [b, c] = [clip('b'), clip('c')]
    await slots.pointNext(b)
    await open(1)
    await slots.pointNext(c)
    expect(slots.playing()).toBe(b)
    expect([slots.hasGoneOn(), slots.hasGoneOn()]).toEqual([true, false])
    expect(await pointsTo(0)).toBe('c')
  })

  it('lead nowhere where nothing follows, until something does', async () => {
    const slots = await begun()
    await slots.pointNext(null)
    await expect(open(1)).rejects.toThrow('ENOENT')
    expect(await slots.hasEnd()).toBe(true)
  })

  it('of an earlier run are read where they were opened last', async () => {
    await begun()
    const slots = createSlots(directory, { begins: false })
    const b = clip('b')
    await slots.pointNext(b)
    await open(0)
    await open(1)
    expect([slots.hasGoneOn(), slots.playing()]).toEqual([true, b])
    await slots.pointNext(clip('c'))
    expect([await pointsTo(0), await pointsTo(1)]).toEqual(['c', 'b'])
  })
})
