import { describe, expect, it } from 'vitest'
import { candidateRecipes, chooseRecipe } from './choose-recipe.ts'

const LIMITS = { maxHeight: 1080, maxFps: 60 }
const video = (width: number, height: number, fps = 30) => ({ width, height, fps })

describe('[LIST-04] by what the videos of a playlist are made alike', () => {
  it.each([
    ['the most common size', [video(640, 360), video(1280, 720), video(1280, 720)], '1280x720@30:2800'],
    ['of two the larger one', [video(640, 360), video(1280, 720)], '1280x720@30:2800'],
    [
      'an upright one where most are upright',
      [video(720, 1280), video(720, 1280), video(1280, 720)],
      '720x1280@30:2800',
    ],
    [
      'the most common rate of that size',
      [video(640, 360, 25), video(640, 360, 25), video(640, 360)],
      '640x360@25:900',
    ],
    ['a rate as it is written', [video(640, 360, 29.97)], '640x360@30000/1001:900'],
    ['no more than the plan allows', [video(3840, 2160, 60)], '1920x1080@60:6000'],
    ['even sides', [video(853, 479)], '852x478@30:1500'],
  ])('%s', (_, videos, recipe) => expect(candidateRecipes(videos, LIMITS)[0]).toBe(recipe))

  it('keeps to the frames that the plan allows', () => {
    expect(candidateRecipes([video(640, 360, 60)], { maxHeight: 1080, maxFps: 30 })).toEqual(['640x360@30:900'])
  })

  it('has none where nothing is known of the videos', () => {
    expect(candidateRecipes([], LIMITS)).toEqual([])
    expect(candidateRecipes([{ width: null, height: null, fps: null }], LIMITS)).toEqual([])
    expect(chooseRecipe([], { kept: null, hasOf: () => 0, limits: LIMITS })).toBeNull()
  })

  const CANDIDATES = ['640x360@25:900', '640x360@30:900']
  const chosen = (kept: string | null, has: Record<string, number>, limits = LIMITS) =>
    chooseRecipe(CANDIDATES, { kept, hasOf: (recipe) => has[recipe] ?? 0, limits })

  it('is what most of them are already, by our own encoder', () => {
    expect(chosen(null, {})).toBe('640x360@25:900')
    expect(chosen(null, { '640x360@30:900': 1 })).toBe('640x360@30:900')
  })

  it('stays what it was while any of it is there and the plan allows it', () => {
    const kept = '1280x720@30:2800'
    expect(chosen(kept, { [kept]: 1, '640x360@30:900': 5 })).toBe(kept)
    expect(chosen(kept, {})).toBe('640x360@25:900')
    expect(chosen(kept, { [kept]: 1 }, { maxHeight: 480, maxFps: 60 })).toBe('640x360@25:900')
    expect(chosen('nonsense', { nonsense: 1 })).toBe('640x360@25:900')
  })
})
