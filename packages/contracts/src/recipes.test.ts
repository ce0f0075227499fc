import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  boundedKbps,
  evenSide,
  fpsOf,
  nearestRate,
  parseRecipe,
  RECIPE_RATES,
  recipeText,
  recipeWords,
  renditionBytes,
} from './recipes.ts'

describe('a recipe', () => {
  it('is written and read', () => {
    expect(parseRecipe('1280x720@30:2800')).toEqual({ width: 1280, height: 720, fps: '30/1', kbps: 2800 })
    expect(parseRecipe('1080x1920@30000/1001:6000')).toEqual({
      ...{ width: 1080, height: 1920, fps: '30000/1001', kbps: 6000 },
    })
  })

  it('comes back as it was, whatever it asks for', () => {
    const side = fc.integer({ min: 32, max: 2048 }).map((half) => half * 2)
    const recipes = fc.record({
      width: side,
      height: side,
      fps: fc.constantFrom(...RECIPE_RATES),
      kbps: fc.integer({ min: 100, max: 60_000 }),
    })
    fc.assert(
      fc.property(recipes, (recipe) => {
        expect(parseRecipe(recipeText(recipe))).toEqual(recipe)
      }),
    )
  })

  it.each([
    ...['', 'as-is', '1280x720', '1280x720@30', '1281x720@30:2800', '1280x721@30:2800', '12x720@30:2800'],
    ...['8192x720@30:2800', '1280x720@31:2800', '1280x720@30/1:2800', '1280x720@30:99', '1280x720@30:99999'],
    ...['01280x720@30:2800', ' 1280x720@30:2800', '1280x720@30:02800', '1280X720@30:2800', '1280x720@30:2800\n'],
  ])('is not %j', (text) => expect(parseRecipe(text)).toBeNull())

  it('names the rate that a rounded figure means', () => {
    expect([23.98, 24, 25, 29.97, 30, 59.94, 60, 15, 120].map((fps) => nearestRate(fps))).toEqual([
      ...['24000/1001', '24/1', '25/1', '30000/1001', '30/1', '60000/1001', '60/1', '24000/1001', '60/1'],
    ])
    expect(nearestRate(60, 30)).toBe('30/1')
    expect(nearestRate(60, 1)).toBe('24/1')
    expect(fpsOf({ fps: '30000/1001' })).toBeCloseTo(29.97, 2)
  })

  it('bounds what it is made of', () => {
    expect([1079.9999, 3, 9999].map(evenSide)).toEqual([1080, 64, 4096])
    expect([1, 2800.4, 1e9].map(boundedKbps)).toEqual([100, 2800, 60_000])
  })

  it('is told in words, with the room that it takes', () => {
    expect(recipeWords('1920x1080@60:6000')).toBe('1920×1080 · 60 fps · 6.000 kbps')
    expect(recipeWords('1920x1080@30000/1001:4500')).toBe('1920×1080 · 29,97 fps · 4.500 kbps')
    expect(renditionBytes({ kbps: 840 }, 8)).toBe(1_000_000)
  })
})
