import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { lowerThirdPlace } from '@siarin/contracts/branding-places'
import { drawArgs } from '@siarin/media/argv/logo'
import { lowerThirdSvg } from '@siarin/media/lower-third'
import { type TempDir, tempDir } from '@siarin/testkit/temp-dir'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fittingFontSize } from '../src/modules/library/preparation/fit-line.ts'
import { pixelsOf } from './support/brand.ts'

const ffmpegPath = process.env['FFMPEG_PATH'] || 'ffmpeg'
const COLOURS = { text: '#ffffff', background: '#000000' }

let folder: TempDir
beforeAll(async () => {
  folder = await tempDir('brand-line')
})
afterAll(() => folder.remove())

/** Where letters are seen, from left to right; null: nowhere. */
async function seen(text: string, align: 'left' | 'center' | 'right', width: number, tooLarge = 1) {
  const picture = { width, height: Math.round((width * 9) / 32) * 2 }
  const { band, fontSize, gap } = lowerThirdPlace({ align, size: 5, margin: 5, opacity: 100 }, picture, text)
  const [svg, png] = [join(folder.path, 'line.svg'), join(folder.path, 'line.png')]
  // As a font that is wider than we count would make it.
  const wanted = { size: band, fontSize: fontSize * tooLarge, gap, align, opacity: 1, colours: COLOURS }
  const signal = new AbortController().signal
  const look = { ...wanted, fontSize: await fittingFontSize(text, wanted, { ffmpegPath, file: svg, signal }) }
  await writeFile(svg, lowerThirdSvg(text, look))
  await promisify(execFile)(ffmpegPath, drawArgs({ input: svg, output: png }, band))
  const pixels = await pixelsOf(png, 0, 'gray')
  const columns = [...pixels].flatMap((light, at) => (light > 60 ? [at % band.width] : []))
  const [first, last] = [Math.min(...columns), Math.max(...columns)]
  return { letters: columns.length > 0, leftGap: first, rightGap: band.width - 1 - last, gap, fontSize: look.fontSize }
}

describe('[BRAND-03] a line of text that is longer than the picture is wide', () => {
  const LONG = 'W'.repeat(80)

  it.each([
    ['eighty of the widest letters', LONG, 1280],
    ['letters that are two in one', 'Ǆ'.repeat(80), 1280],
    ['eighty emoji', '😀'.repeat(40), 640],
    ['a small picture', LONG, 320],
  ])('stands in it whole: %s', async (_what, text, width) => {
    for (const align of ['left', 'center', 'right'] as const) {
      const { letters, leftGap, rightGap, gap } = await seen(text, align, width)
      expect([align, letters]).toEqual([align, true])
      expect(Math.min(leftGap, rightGap), align).toBeGreaterThanOrEqual(gap - 2)
    }
  })

  it('stands in it whole where the font is ten times wider than we count', async () => {
    const { letters, leftGap, rightGap, gap } = await seen('Siaran langsung nonstop', 'center', 640, 10)
    expect(letters).toBe(true)
    expect(Math.min(leftGap, rightGap)).toBeGreaterThanOrEqual(gap - 2)
  })

  it('keeps its size where it fits', async () => {
    expect((await seen('Halo', 'left', 1280)).fontSize).toBe(36)
  })
})
