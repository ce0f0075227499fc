import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { filesUnder } from './lib/stamps.mjs'

const ROOT = join(import.meta.dirname, '..')
const LEFT_OUT = ['node_modules', 'dist', '.cache', 'test-results']
const FOLDERS = ['packages', 'e2e/tests', 'scripts']

/** As titles name it, in brackets. */
const POINT = /\[([A-Z0-9]+-\d\d)\]/g
const pointsIn = (text: string): string[] => [...text.matchAll(POINT)].map(([, point = '']) => point)

/** The rest of the text has what runs for every change. */
const LONG_TEST = /runIf\(isWholeRun\)\(\s*(['"`]).*?\1|^.*@long.*$/gm

it('every point that a test names is named by one that runs for every change', () => {
  const files = FOLDERS.flatMap((folder) => filesUnder(join(ROOT, folder), LEFT_OUT))
  const tests = files.filter((file) => /\.(test|spec)\.tsx?$/.test(file))
  const named = tests.flatMap((file) => pointsIn(readFileSync(file, 'utf8')))
  const everyChange = tests
    .filter((file) => !file.includes('.long.') && !file.includes('/machines/'))
    .flatMap((file) => pointsIn(readFileSync(file, 'utf8').replace(LONG_TEST, '')))
  expect(new Set(named).size).toBeGreaterThan(100)
  expect([...new Set(named)].filter((point) => !everyChange.includes(point))).toEqual([])
})
