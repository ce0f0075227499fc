import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Look } from '@siarin/contracts/branding'
import { logoBox } from '@siarin/contracts/branding-places'
import { BRANDING_TEXTS } from '@siarin/contracts/branding-texts'
import { RENDITION_TEXTS } from '@siarin/contracts/rendition-texts'
import { makeClip } from '@siarin/testkit/clips'
import { kill9 } from '@siarin/testkit/processes'
import { waitFor } from '@siarin/testkit/wait-for'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { brandCalls, makePng, pixelsOf, sizeOf } from './support/brand.ts'
import { personWithVideo } from './support/program.ts'
import { openStreamStage, type StreamStage } from './support/streams.ts'

const NAME = 'klip.mp4'
const WIDE = { width: 320, height: 180 }
const PLAIN = '320x180@25:900'

let stage: StreamStage
let one: Awaited<ReturnType<typeof somebody>>

beforeAll(async () => {
  stage = await openStreamStage({ ENFORCE_PLANS: 'true' }, { clearance: { firstAfterMs: 500, everyMs: 500 } })
  // Short: each version is made by an encoder.
  await makeClip(stage.clip, { seconds: 1, ...WIDE })
  one = await somebody()
  await one.putLogo(await makePng(200, 100, 'red@1.0'))
})
afterAll(() => stage.close())

async function somebody() {
  const user = await personWithVideo(stage.program, stage.clip)
  await stage.program.setPlan(user.email, 'creator-pro')
  return { ...user, ...brandCalls(stage.program, user.apiKey) }
}

const logo = { corner: 'tr', size: 20, margin: 2, opacity: 100 } as const
const frame = (fit: 'blur' | 'bars' | 'crop', more = {}) => ({
  shape: '9:16',
  fit,
  colour: '#000000',
  focus: 50,
  ...more,
})
const whole = (look: object) => ({ logo: null, lowerThird: null, frame: null, ...look })

type Pixel = readonly [number, number, number]
const pixelAt = (rgb: Buffer, width: number, x: number, y: number): Pixel => {
  const at = (y * width + x) * 3
  return [rgb[at] ?? 0, rgb[at + 1] ?? 0, rgb[at + 2] ?? 0]
}
const isNear = (one: Pixel, other: Pixel, by = 24) => one.every((value, at) => Math.abs(value - (other[at] ?? 0)) <= by)

/** The mean difference of what `of` picks. */
function difference(one: Buffer, other: Buffer, width: number, of: (x: number, y: number) => boolean): number {
  let [sum, count] = [0, 0]
  for (let at = 0; at < one.length; at++) {
    const pixel = Math.floor(at / 3)
    if (!of(pixel % width, Math.floor(pixel / width))) continue
    sum += Math.abs((one[at] ?? 0) - (other[at] ?? 0))
    count++
  }
  return sum / count
}

describe('[BRAND-01] [BRAND-02] a video with a logo', { timeout: 120_000 }, () => {
  it('is made beside the one without, once, and differs from it only where the logo is', async () => {
    const plain = await one.made(NAME, { recipe: PLAIN })
    const branded = await one.made(NAME, { recipe: PLAIN, look: { logo } })
    expect(branded.recipe).toMatch(/^320x180@25:900\+b[\da-f]{12}$/)
    const listed = (await one.renditionsOf(NAME)).map(({ recipe, state, look }) => ({ recipe, state, look }))
    expect(listed).toEqual([
      { recipe: PLAIN, state: 'ready', look: null },
      { recipe: branded.recipe, state: 'ready', look: whole({ logo }) },
    ])
    const again = await one.order(NAME, { recipe: PLAIN, look: { logo } })
    expect(again.body).toMatchObject({ message: RENDITION_TEXTS.ready, rendition: { recipe: branded.recipe } })

    const box = logoBox(logo, WIDE, { width: 200, height: 100 })
    const isIn = (x: number, y: number) => x >= box.x && x < box.x + box.width && y >= box.y && y < box.y + box.height
    // An encoder's blocks reach over the edge of the box.
    const isFar = (x: number, y: number) =>
      x < box.x - 16 || x >= box.x + box.width + 16 || y < box.y - 16 || y >= box.y + box.height + 16
    const measured = []
    for (const at of [0, 0.4, 0.9]) {
      const [without, with_] = [await pixelsOf(plain.file, at), await pixelsOf(branded.file, at)]
      expect(with_).toHaveLength(without.length)
      measured.push({ inside: difference(without, with_, 320, isIn), outside: difference(without, with_, 320, isFar) })
      expect(isNear(pixelAt(with_, 320, box.x + box.width / 2, box.y + box.height / 2), [254, 0, 0])).toBe(true)
    }
    for (const { inside, outside } of measured) {
      expect(inside).toBeGreaterThan(40)
      expect(outside).toBeLessThan(3)
    }
  })

  it('has the size of the video where nothing else is asked for, and another id for another look', async () => {
    const ids = new Set<string>()
    for (const look of [{ logo: { ...logo, opacity: 50 } }, { logo: { ...logo, corner: 'bl' } }]) {
      const { status, body } = await one.order(NAME, { look })
      expect(status).toBe(200)
      expect(body.rendition.recipe).toMatch(/^320x180@25:\d+\+b/)
      ids.add(body.rendition.recipe)
    }
    expect(ids.size).toBe(2)
    for (const recipe of ids) expect((await one.remove(NAME, recipe)).status).toBe(200)
  })

  it('keeps its logo whatever becomes of the kit, until nothing needs it', async () => {
    const person = await somebody()
    await person.putLogo(await makePng(40, 40, 'lime@1.0'))
    const { recipe } = await person.made(NAME, { look: { logo } })
    const look = await stage.program.db
      .selectFrom('brand_looks')
      .selectAll()
      .where('id', '=', recipe.slice(-12))
      .executeTakeFirstOrThrow()
    const file = join(stage.program.dataDir, 'media', look.logo_key ?? '')
    await person.putLogo(await makePng(40, 40, 'blue@1.0'))
    expect(existsSync(file)).toBe(true)
    // The old one stays in use beside the new one.
    const { body } = await person.order(NAME, { look: { logo } })
    expect(body.rendition.recipe).not.toBe(recipe)
    expect((await person.renditionsOf(NAME)).find((made) => made.recipe === recipe)?.state).toBe('ready')
    await waitFor('the new one', async () => (await person.renditionsOf(NAME)).every(({ state }) => state === 'ready'))
    expect((await person.remove(NAME, recipe)).status).toBe(200)
    expect(existsSync(file)).toBe(true)
    stage.program.clock.move(2 * 3_600_000)
    await waitFor('the logo to go', async () => !existsSync(file))
    expect(await person.order(NAME, { recipe })).toMatchObject({
      status: 400,
      body: { message: BRANDING_TEXTS.lookUnknown },
    })
    expect((await person.logo()).status).toBe(200)
  })

  it('is refused without a logo or a text, without a plan, and for what is somebody else’s', async () => {
    const person = await somebody()
    const order = (look: object) => person.order(NAME, { look })
    const lowerThird = { align: 'left', size: 6, margin: 5, opacity: 80 }
    expect(await order({ logo })).toMatchObject({ status: 400, body: { message: BRANDING_TEXTS.noLogo } })
    expect(await order({ lowerThird })).toMatchObject({ status: 400, body: { message: BRANDING_TEXTS.noText } })
    expect(await order({})).toMatchObject({ status: 400, body: { message: BRANDING_TEXTS.lookEmpty } })
    expect((await person.order('lain.mp4', { look: { logo } })).status).toBe(404)
    const [mine] = (await one.renditionsOf(NAME)).filter(({ look }) => look)
    expect(await person.order(NAME, { recipe: mine?.recipe ?? '' })).toMatchObject({
      ...{ status: 400, body: { message: BRANDING_TEXTS.lookUnknown } },
    })
    await person.putLogo(await makePng(40, 40))
    await person.change({ text: 'Kopi' })
    await stage.program.setPlan(person.email, 'starter')
    expect(await order({ logo, lowerThird })).toMatchObject({
      status: 403,
      body: { code: 'plan_limit', reasonCode: 'plan-branding' },
    })
    const taken = async (look: object) => {
      const { status, body } = await order(look)
      expect(status).toBe(200)
      // Nobody waits for it.
      expect((await person.remove(NAME, body.rendition.recipe)).status).toBe(200)
    }
    await taken({ logo })
    await stage.program.setPlan(person.email, 'free-trial')
    expect((await order({ logo: { ...logo, size: 30 } })).status).toBe(403)
    await taken({ frame: frame('blur') })
  })
})

describe('[BRAND-01] a line of text', { timeout: 120_000 }, () => {
  it('stands on its band in the colours of the kit, and nowhere else', async () => {
    await one.change({ text: 'Radio Kopi & <Teh>', colours: { text: '#ffff00', background: '#0000ff' } })
    const lowerThird = { align: 'left', size: 10, margin: 10, opacity: 100 }
    const branded = await one.made(NAME, { recipe: PLAIN, look: { lowerThird } })
    const rgb = await pixelsOf(branded.file, 0.5)
    // The band is 34 high and ends a tenth of the height above the bottom.
    expect(isNear(pixelAt(rgb, 320, 310, 145), [0, 0, 255])).toBe(true)
    const plain = await pixelsOf((await one.made(NAME, { recipe: PLAIN })).file, 0.5)
    expect(difference(plain, rgb, 320, (_x, y) => y < 128 - 16)).toBeLessThan(3)
    const letters = Array.from({ length: 34 }, (_, y) => y + 128).some((y) =>
      Array.from({ length: 200 }, (_, x) => x).some((x) => isNear(pixelAt(rgb, 320, x, y), [255, 255, 0], 60)),
    )
    expect(letters).toBe(true)
    await one.remove(NAME, branded.recipe)
  })
})

describe('[BRAND-03] a video of 16:9 on 9:16', { timeout: 180_000 }, () => {
  const UPRIGHT = { width: 180, height: 320 }
  let plain: Buffer

  beforeAll(async () => {
    plain = await pixelsOf((await one.made(NAME, { recipe: PLAIN })).file, 0.5)
  })

  async function made(look: Partial<Look> | object): Promise<Buffer> {
    const { recipe, file } = await one.made(NAME, { look })
    expect(recipe.startsWith('180x320@25:')).toBe(true)
    expect(await sizeOf(file)).toBe('180,320')
    const rgb = await pixelsOf(file, 0.5)
    await one.remove(NAME, recipe)
    return rgb
  }

  it('has bars of the colour that was chosen', async () => {
    const rgb = await made({ frame: frame('bars', { colour: '#ff8000' }) })
    for (const [x, y] of [
      [4, 4],
      [90, 60],
      [170, 310],
    ] as const) {
      expect(isNear(pixelAt(rgb, UPRIGHT.width, x, y), [255, 128, 0], 8)).toBe(true)
    }
    // In the middle stands the whole video, 180 by 102.
    expect(isNear(pixelAt(rgb, 180, 10, 160), pixelAt(plain, 320, 18, 90), 60)).toBe(true)
  })

  it('stands before itself, blurred, with a logo on the whole', async () => {
    const rgb = await made({ frame: frame('blur'), logo: { ...logo, corner: 'tl', margin: 0 } })
    expect(isNear(pixelAt(rgb, 180, 10, 6), [254, 0, 0])).toBe(true)
    const rowOf = (y: number) => Array.from({ length: 180 }, (_, x) => pixelAt(rgb, 180, x, y))
    const steps = (y: number) =>
      rowOf(y).reduce((sum, pixel, x, all) => {
        const before = all[x - 1] ?? pixel
        return sum + Math.abs(pixel[0] - before[0]) + Math.abs(pixel[1] - before[1]) + Math.abs(pixel[2] - before[2])
      }, 0)
    // It is no bar, and nothing sharp.
    expect(rowOf(300).some((pixel) => !isNear(pixel, [0, 0, 0], 30))).toBe(true)
    expect(steps(300)).toBeLessThan(steps(160))
  })

  it('is cut to the part that was chosen', async () => {
    const [left, right] = [
      await made({ frame: frame('crop', { focus: 0 }) }),
      await made({ frame: frame('crop', { focus: 100 }) }),
    ]
    // 101 of 320 columns are kept, of the whole height.
    const compare = (rgb: Buffer, from: number) => {
      let [sum, count] = [0, 0]
      for (let y = 10; y < 310; y += 10) {
        for (let x = 10; x < 170; x += 10) {
          const [was, is] = [
            pixelAt(plain, 320, Math.round(from + (x * 101) / 180), Math.round((y * 180) / 320)),
            pixelAt(rgb, 180, x, y),
          ]
          sum += is.reduce((total, value, at) => total + Math.abs(value - (was[at] ?? 0)), 0)
          count += 3
        }
      }
      return sum / count
    }
    expect(compare(left, 0)).toBeLessThan(compare(left, 219) / 2)
    expect(compare(right, 219)).toBeLessThan(compare(right, 0) / 2)
  })
})

describe('[BRAND-02] a broadcast of a version', { timeout: 120_000 }, () => {
  it('plays what was asked for, costs no more, and goes on when the plan ends', async () => {
    // A trial has few calls a minute.
    const person = await somebody()
    await person.putLogo(await makePng(40, 40))
    const { recipe } = await person.made(NAME, { recipe: PLAIN, look: { logo } })
    const start = (more: object) => stage.start(person.apiKey, `merek-${Math.random()}`, more)
    expect(await start({ rendition: 'x' })).toMatchObject({
      status: 400,
      body: { message: BRANDING_TEXTS.renditionInvalid },
    })
    expect(await start({ rendition: recipe.replace(/.$/, (end) => (end === '0' ? '1' : '0')) })).toMatchObject({
      ...{ status: 409, body: { message: BRANDING_TEXTS.renditionNotReady } },
    })
    const key = 'merek'
    const { body, status } = await stage.start(person.apiKey, key, { rendition: recipe })
    expect(status).toBe(200)
    await stage.rtmp.waitForPublisher(key, { growing: true })
    const stream = () =>
      stage.program.db
        .selectFrom('streams')
        .select(['phase', 'recipe', 'position_recipe'])
        .where('id', '=', body.streamId)
        .executeTakeFirstOrThrow()
    await waitFor('it to play', async () => (await stream()).position_recipe === recipe)
    const [ffmpeg] = await stage.ffmpegOf(body.streamId)
    expect(ffmpeg?.args.join(' ')).toContain('-c copy')
    await stage.program.setPlan(person.email, 'free-trial')
    expect(await start({ rendition: recipe })).toMatchObject({ status: 403, body: { reasonCode: 'plan-branding' } })
    expect(await person.remove(NAME, recipe)).toMatchObject({ status: 409, body: { message: RENDITION_TEXTS.onAir } })
    // Also after a fall.
    const { id: session } = await stage.rtmp.waitForPublisher(key, { growing: true })
    kill9(ffmpeg)
    await stage.rtmp.waitForPublisher(key, { growing: true, otherThan: session })
    await waitFor('it to be live', async () => (await stream()).phase === 'live')
    expect(await stream()).toEqual({ phase: 'live', recipe, position_recipe: recipe })
    await stage.stopAll(person.apiKey)
  })
})
