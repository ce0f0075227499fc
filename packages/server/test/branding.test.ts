import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32, deflateSync } from 'node:zlib'
import { BRANDING_TEXTS } from '@siarin/contracts/branding-texts'
import { waitFor } from '@siarin/testkit/wait-for'
import { isWholeRun } from '@siarin/testkit/whole-run'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { USUAL_TIMINGS } from '../src/platform/timings.ts'
import { brandCalls, makePng, pixelsOf } from './support/brand.ts'
import { call, signIn, startProgram, type TestProgram } from './support/program.ts'

let program: TestProgram
let png: Buffer

beforeAll(async () => {
  program = await startProgram({ ENFORCE_PLANS: 'true' })
  png = await makePng(300, 100)
})
afterAll(() => program.close())

async function somebody(plan: Parameters<TestProgram['setPlan']>[1] = 'creator-pro') {
  const { user } = await signIn(program.url)
  await program.setPlan(user.email, plan)
  return { ...user, ...brandCalls(program, user.apiKey) }
}
const row = async (email: string) =>
  program.db
    .selectFrom('brand_kits')
    .innerJoin('users', 'users.id', 'brand_kits.user_id')
    .selectAll('brand_kits')
    .where('email', '=', email)
    .executeTakeFirstOrThrow()
const fileOf = (key: string | null) => join(program.dataDir, 'media', key ?? 'none')

const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="10"><rect width="20" height="10" fill="#ff0000" fill-opacity="0.5"/></svg>'

describe('[BRAND-01] the brand of a workspace', { timeout: 60_000 }, () => {
  it('begins empty, is changed in part, and is nobody else’s', async () => {
    const [one, other] = [await somebody(), await somebody()]
    const empty = { logo: null, text: '', colours: { text: '#ffffff', background: '#111827' }, allows: 'full' }
    expect(await one.kit()).toMatchObject({ status: 200, body: { success: true, kit: empty } })
    const colours = { text: '#abcdef', background: '#010203' }
    expect((await one.change({ text: ' Radio Kopi ' })).body.kit).toEqual({ ...empty, text: 'Radio Kopi' })
    expect((await one.change({ colours })).body.kit).toEqual({ ...empty, text: 'Radio Kopi', colours })
    expect((await other.kit()).body.kit).toEqual(empty)
    expect(await one.change({ text: 'a'.repeat(81) })).toMatchObject({ status: 400 })
    expect(await one.change({ colours: { ...colours, text: 'red' } })).toMatchObject({
      ...{ status: 400, body: { message: BRANDING_TEXTS.colourInvalid } },
    })
    expect((await call(program.url, 'GET', '/fitur/branding')).status).toBe(401)
    expect((await call(program.url, 'PUT', '/fitur/branding/logo')).status).toBe(401)
  })

  it('has a logo that we have made ourselves, of what was sent', async () => {
    const [one, other] = [await somebody(), await somebody()]
    expect((await one.logo()).status).toBe(404)
    const hidden = Buffer.from('tEXtsecret\0words')
    const sent = Buffer.concat([png.subarray(0, 33), chunk('tEXt', hidden), png.subarray(33), Buffer.from('<script>')])
    const set = await one.putLogo(sent)
    expect(set).toMatchObject({
      status: 200,
      body: { message: BRANDING_TEXTS.logoSaved, kit: { logo: { width: 300, height: 100 } } },
    })
    const { file, type } = await one.logo()
    expect(type).toBe('image/png')
    expect(file.subarray(1, 4).toString()).toBe('PNG')
    expect(file.includes('secret')).toBe(false)
    expect(file.includes('<script>')).toBe(false)
    expect((await other.logo()).status).toBe(404)
    // The same picture has the same version, and the file before it is gone.
    const before = await row(one.email)
    expect((await one.putLogo(png)).body.kit).toEqual(set.body.kit)
    const after = await row(one.email)
    expect(after.logo_key).not.toBe(before.logo_key)
    expect(existsSync(fileOf(before.logo_key))).toBe(false)
    expect(await readFile(fileOf(after.logo_key))).toEqual(file)
    expect((await one.removeLogo()).body.kit.logo).toBeNull()
    expect((await one.logo()).status).toBe(404)
    expect(existsSync(fileOf(after.logo_key))).toBe(false)
    // Nothing half-made is left.
    expect(await readdir(join(program.dataDir, 'uploads')).catch(() => [])).toEqual([])
  })

  it('makes a picture of a drawing, with its true colours, and keeps no drawing', async () => {
    const one = await somebody()
    const set = await one.putLogo(SVG, 'image/svg+xml')
    expect(set.body.kit.logo).toMatchObject({ width: 1280, height: 640 })
    const key = (await row(one.email)).logo_key
    const folder = join(fileOf(key), '..')
    expect((await readdir(folder)).every((name) => name.endsWith('.png'))).toBe(true)
    const { file } = await one.logo()
    expect(file.includes('svg')).toBe(false)
    const [red = 0, green, blue, alpha = 0] = await pixelsOf(fileOf(key), 0, 'rgba')
    expect([green, blue]).toEqual([0, 0])
    expect(red).toBeGreaterThan(250)
    expect(Math.abs(alpha - 128)).toBeLessThan(3)
  })

  it('makes a large logo smaller, in its shape', async () => {
    const one = await somebody()
    const set = await one.putLogo(await makePng(4000, 1000))
    expect(set.body.kit.logo).toMatchObject({ width: 1280, height: 320 })
  })

  const bomb = (width: number, height: number) =>
    Buffer.concat([png.subarray(0, 8), header(width, height), chunk('IDAT', deflateSync(Buffer.alloc(1_000_000))), END])

  it('is refused what is no picture, or none that anybody needs', async () => {
    const one = await somebody()
    const refused = async (file: Buffer | string, type: string, status: number, words?: string) => {
      const answer = await one.putLogo(file, type)
      expect({ status: answer.status, ...(words && { words: answer.body.message }) }).toEqual({
        status,
        ...(words && { words }),
      })
    }
    await refused(Buffer.from('GIF89a'), 'image/png', 415, BRANDING_TEXTS.logoType)
    await refused(SVG, 'image/png', 415, BRANDING_TEXTS.logoType)
    await refused('{}', 'application/json', 415, BRANDING_TEXTS.logoType)
    await refused(png, 'image/gif', 415)
    await refused('', 'image/png', 400)
    await refused(Buffer.concat([png, randomBytes(2 * 1024 ** 2)]), 'image/png', 413)
    await refused(bomb(4097, 10), 'image/png', 400, BRANDING_TEXTS.logoPixels(4096))
    await refused(bomb(4096, 4096), 'image/png', 400, BRANDING_TEXTS.logoPixels(4096))
    await refused(bomb(0xffffffff, 0xffffffff), 'image/png', 400, BRANDING_TEXTS.logoPixels(4096))
    await refused(png.subarray(0, 60), 'image/png', 400, BRANDING_TEXTS.logoUnreadable)
    await refused(Buffer.concat([png.subarray(0, 33), chunk('IDAT', randomBytes(500)), END]), 'image/png', 400)
    for (const inside of [
      '<script>alert(1)</script>',
      '<image href="file:///etc/passwd"/>',
      '<use href="http://127.0.0.1:1/a.svg#a"/>',
      '<foreignObject/>',
    ]) {
      await refused(SVG.replace('<rect', `${inside}<rect`), 'image/svg+xml', 400, BRANDING_TEXTS.svgUnsafe)
    }
    await refused(`<!DOCTYPE svg [<!ENTITY a "b">]>${SVG}`, 'image/svg+xml', 400, BRANDING_TEXTS.svgUnsafe)
    expect((await one.kit()).body.kit.logo).toBeNull()
    expect(await readdir(join(program.dataDir, 'uploads')).catch(() => [])).toEqual([])
  })

  it.runIf(isWholeRun)('refuses a drawing that would take for ever in time', async () => {
    // Less than usual: until then each takes all of a core.
    const mediaTools = { ...USUAL_TIMINGS.mediaTools, logoMs: 1_000 }
    const hasty = await startProgram({}, { mediaTools })
    onTestFinished(hasty.close)
    const one = brandCalls(hasty, (await signIn(hasty.url)).user.apiKey)
    // Each is drawn through ten of the one before.
    const levels = Array.from({ length: 12 }, (_, at) => {
      const uses = `<use href="#l${at - 1}"/>`.repeat(10)
      return `<g id="l${at}">${at === 0 ? '<rect width="9" height="9"/>' : uses}</g>`
    })
    const blurs = '<feGaussianBlur stdDeviation="500"/>'.repeat(400)
    const began = performance.now()
    const bombs = [
      `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><defs>${levels.join('')}</defs><use href="#l11"/></svg>`,
      `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><filter id="f">${blurs}</filter><rect width="9" height="9" filter="url(#f)"/></svg>`,
      '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="99999999"><rect width="9" height="9"/></svg>',
    ]
    const answers = await Promise.all(bombs.map((bomb) => one.putLogo(bomb, 'image/svg+xml')))
    for (const { status } of answers) expect([200, 400]).toContain(status)
    // A second each, two at a time.
    expect(performance.now() - began).toBeLessThan(15_000)
    // A busy machine may take longer than that for a small picture too.
    await waitFor('a logo', async () => (await one.putLogo(png)).status === 200)
  })
})

describe('[BRAND-04] what a plan has of a brand', { timeout: 60_000 }, () => {
  it('is nothing, a logo, all, all', async () => {
    const plans = ['free-trial', 'starter', 'creator-pro', 'business'] as const
    const allowed = []
    for (const plan of plans) {
      const one = await somebody(plan)
      const [logo, text] = [await one.putLogo(png), await one.change({ text: 'Kopi' })]
      allowed.push([(await one.kit()).body.kit.allows, logo.status, text.status])
      if (plan === 'free-trial') {
        expect(logo.body).toMatchObject({ code: 'plan_limit', reasonCode: 'plan-branding' })
        expect(logo.body.message).toBe(
          'Paket Free Trial belum punya logo sendiri di video. Upgrade ke Starter untuk memakainya.',
        )
        expect(text.body.message).toBe(
          'Paket Free Trial belum punya teks brand di video. Upgrade ke Creator Pro untuk memakainya.',
        )
      }
      if (plan === 'starter')
        expect(text.body.message).toBe(
          'Paket Starter bisa memakai logo, belum teks. Upgrade ke Creator Pro untuk branding penuh.',
        )
    }
    expect(allowed).toEqual([
      ['none', 403, 403],
      ['logo', 200, 403],
      ['full', 200, 200],
      ['full', 200, 200],
    ])
  })
})

function chunk(name: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), content])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(content.length)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, sum])
}
function header(width: number, height: number): Buffer {
  const content = Buffer.alloc(13)
  content.writeUInt32BE(width)
  content.writeUInt32BE(height, 4)
  content.set([8, 6, 0, 0, 0], 8)
  return chunk('IHDR', content)
}
const END = chunk('IEND', Buffer.alloc(0))
