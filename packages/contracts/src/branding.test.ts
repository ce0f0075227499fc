import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ChangeBrandKitBody, isLevelWithin, Look, levelOf, lookWords } from './branding.ts'
import { logoBox, lowerThirdPlace } from './branding-places.ts'
import { BRANDING_TEXTS } from './branding-texts.ts'
import { recipeToSend } from './platform-fit.ts'
import { presetOf } from './platform-presets.ts'
import { parseRecipe, recipeText, recipeWords } from './recipes.ts'
import { OrderRenditionBody } from './videos.ts'

const logo = { corner: 'tr', size: 20, margin: 2, opacity: 80 } as const
const lowerThird = { align: 'left', size: 5, margin: 5, opacity: 70 } as const
const frame = { shape: '9:16', fit: 'blur' } as const

describe('[BRAND-01] how a brand stands on a picture', () => {
  it('is whole once it was read', () => {
    expect(Look.parse({ logo })).toEqual({ logo, lowerThird: null, frame: null })
    expect(Look.parse({ frame }).frame).toEqual({ ...frame, colour: '#000000', focus: 50 })
    expect(Look.parse({ frame: { ...frame, fit: 'bars', colour: '#ABCDEF' } }).frame?.colour).toBe('#abcdef')
  })

  it.each([
    [{}, BRANDING_TEXTS.lookEmpty],
    [{ logo: { ...logo, corner: 'middle' } }, BRANDING_TEXTS.cornerInvalid],
    [{ logo: { ...logo, size: 4 } }, BRANDING_TEXTS.sizeInvalid(5, 40)],
    [{ logo: { ...logo, size: 20.5 } }, BRANDING_TEXTS.sizeInvalid(5, 40)],
    [{ logo: { ...logo, margin: 11 } }, BRANDING_TEXTS.marginInvalid(10)],
    [{ logo: { ...logo, opacity: 9 } }, BRANDING_TEXTS.opacityInvalid(10)],
    [{ lowerThird: { ...lowerThird, size: 11 } }, BRANDING_TEXTS.textSizeInvalid(3, 10)],
    [{ frame: { ...frame, fit: 'stretch' } }, BRANDING_TEXTS.frameInvalid],
    [{ frame: { ...frame, fit: 'bars', colour: 'red' } }, BRANDING_TEXTS.colourInvalid],
    [{ frame: { ...frame, fit: 'crop', focus: 101 } }, BRANDING_TEXTS.focusInvalid],
  ])('%j is refused with words', (look, words) => {
    expect(Look.safeParse(look).error?.issues.map(({ message }) => message)).toEqual([words])
  })

  it('needs a plan that has it; another shape every plan has', () => {
    const levels = [{ logo }, { logo, lowerThird }, { frame }].map((look) => levelOf(Look.parse(look)))
    expect(levels).toEqual(['logo', 'full', 'none'])
    expect(isLevelWithin('logo', 'none')).toBe(false)
    expect(isLevelWithin('logo', 'full')).toBe(true)
    expect(lookWords(Look.parse({ logo, lowerThird, frame }))).toBe('logo kanan atas · teks · 9:16 latar buram')
  })

  it('keeps a logo within the picture, in its own shape, on even lines', () => {
    const side = fc.integer({ min: 32, max: 2048 }).map((half) => half * 2)
    const sides = fc.record({ width: side, height: side })
    const any = fc.record({ width: fc.integer({ min: 1, max: 4096 }), height: fc.integer({ min: 1, max: 4096 }) })
    const looks = fc.record({
      corner: fc.constantFrom('tl', 'tr', 'bl', 'br'),
      size: fc.integer({ min: 5, max: 40 }),
      margin: fc.integer({ min: 0, max: 10 }),
      opacity: fc.constant(100),
    })
    fc.assert(
      fc.property(looks, sides, any, (look, picture, drawn) => {
        const { x, y, width, height } = logoBox(look, picture, drawn)
        for (const length of [x, y, width, height]) expect(length % 2).toBe(0)
        expect(Math.min(x, y)).toBeGreaterThanOrEqual(0)
        expect(Math.min(width, height)).toBeGreaterThanOrEqual(2)
        expect(x + width).toBeLessThanOrEqual(picture.width)
        expect(y + height).toBeLessThanOrEqual(picture.height)
      }),
    )
    expect(logoBox(logo, { width: 1280, height: 720 }, { width: 400, height: 200 })).toEqual({
      ...{ x: 1280 - 26 - 256, y: 26, width: 256, height: 128 },
    })
    expect(
      logoBox({ ...logo, corner: 'bl', margin: 0 }, { width: 720, height: 1280 }, { width: 10, height: 10 }),
    ).toEqual({ x: 0, y: 1280 - 144, width: 144, height: 144 })
  })

  it('keeps a line of text within the picture, however long', () => {
    const picture = { width: 1280, height: 720 }
    expect(lowerThirdPlace(lowerThird, picture, 'Halo')).toEqual({
      band: { x: 0, y: 616, width: 1280, height: 68 },
      fontSize: 36,
      gap: 51,
      isSmaller: false,
    })
    expect(lowerThirdPlace(lowerThird, picture, 'W'.repeat(80))).toMatchObject({ fontSize: 13, isSmaller: true })
    expect(lowerThirdPlace(lowerThird, picture, 'Ǆ'.repeat(80)).fontSize).toBe(6)
    // Also where no letter can be read any more: cut off it would say something else.
    expect(lowerThirdPlace(lowerThird, { width: 256, height: 144 }, 'W'.repeat(80)).fontSize).toBe(2)
    fc.assert(
      fc.property(fc.string({ maxLength: 80 }), fc.integer({ min: 3, max: 10 }), (text, size) => {
        const { band } = lowerThirdPlace({ ...lowerThird, size, margin: 20 }, { width: 64, height: 64 }, text)
        expect(band.y).toBeGreaterThanOrEqual(0)
        expect(band.y + band.height).toBeLessThanOrEqual(64)
        expect([band.y % 2, band.height % 2]).toEqual([0, 0])
      }),
    )
  })
})

describe('[BRAND-02] a recipe with a brand', () => {
  const text = '1280x720@30:2800+b0123456789ab'

  it('has one spelling', () => {
    const recipe = parseRecipe(text)
    expect(recipe).toEqual({ width: 1280, height: 720, fps: '30/1', kbps: 2800, look: '0123456789ab' })
    expect(recipe && recipeText(recipe)).toBe(text)
    expect(recipeWords(text)).toBe('1280×720 · 30 fps · 2.800 kbps · dengan brand')
  })

  it.each([
    '+b',
    '+b0123456789a',
    '+b0123456789AB',
    '+b0123456789abc',
    '+c0123456789ab',
    '+b0123456789ab ',
    'b0123456789ab',
  ])('is not ended by %j', (end) => expect(parseRecipe(`1280x720@30:2800${end}`)).toBeNull())

  it('is not sent to a platform that nobody asked it for', () => {
    const video = {
      status: 'ready',
      ...{ width: 1280, height: 720, fps: 30, videoCodec: 'h264', bitrate: 20_000 },
      renditions: [{ recipe: text, state: 'ready', bitrate: 2900 }],
    } as const
    const preset = presetOf('twitch') ?? expect.unreachable()
    expect(recipeToSend(video, preset)).toBeNull()
    const plain = {
      ...video,
      renditions: [...video.renditions, { ...video.renditions[0], recipe: '1280x720@30:2800' }],
    }
    expect(recipeToSend(plain, preset)).toBe('1280x720@30:2800')
  })

  it('is ordered by a look alone, or by a look with one of recipe and platform', () => {
    const ok = (body: object) => OrderRenditionBody.safeParse(body).success
    expect(
      [{ look: { logo } }, { look: { logo }, preset: 'tiktok' }, { recipe: 'x' }, { preset: 'x' }].map(ok),
    ).toEqual(Array(4).fill(true))
    expect(
      [{}, { recipe: 'x', preset: 'x' }, { look: { logo }, recipe: 'x', preset: 'x' }, { look: {} }].map(ok),
    ).toEqual(Array(4).fill(false))
  })
})

describe('[BRAND-01] the kit of a brand', () => {
  it.each([
    ...[{ text: 'a'.repeat(81) }, { text: 'dua\nbaris' }, { text: 'dua\u2028baris' }, { text: '\ud800' }, { text: 5 }],
    ...[{ colours: { text: '#fff', background: '#000000' } }, { colours: { text: '#ffffff' } }],
  ])('is not %j', (body) => expect(ChangeBrandKitBody.safeParse(body).success).toBe(false))

  it('is changed in part', () => {
    expect(ChangeBrandKitBody.parse({ text: '  Radio Kopi  ' })).toEqual({ text: 'Radio Kopi' })
    expect(ChangeBrandKitBody.parse({ text: '' })).toEqual({ text: '' })
  })
})
