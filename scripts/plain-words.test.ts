import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { expect, it } from 'vitest'
import { filesUnder } from './lib/stamps.mjs'

const ROOT = join(import.meta.dirname, '..')
const LEFT_OUT = ['node_modules', 'dist', '.cache', 'test-results', 'data']
const FOLDERS = ['bench', 'docs', 'e2e', 'packages', 'scripts']

/** An archaic pronoun, and sentences that begin with their genitive: readers stumbled over both. */
const STUMBLED_OVER = /\b[Ww]ho(m|s)?ever\b|([.:;*/] |^)Of (?!course\b)/
/** What is said to readers of the code: a line that is a comment, or the comment at the end of one. */
const COMMENT = /^\s*(\/\/|\/\*\*?|\*)|\s\/\/ /

const linesOf = (file: string): { place: string; text: string }[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .map((text, index) => ({ place: `${relative(ROOT, file)}:${index + 1}`, text }))

it('comments and documents speak plainly: no whoever, no sentence that begins with Of', () => {
  const files = FOLDERS.flatMap((folder) => filesUnder(join(ROOT, folder), LEFT_OUT))
  const comments = files
    .filter((file) => /\.(ts|tsx|mjs)$/.test(file) && !file.endsWith('plain-words.test.ts'))
    .flatMap(linesOf)
    .filter(({ text }) => COMMENT.test(text))
  const prose = [
    ...files.filter((file) => file.endsWith('.md')),
    join(ROOT, 'README.md'),
    join(ROOT, 'CONTRIBUTING.md'),
  ]
    .flatMap(linesOf)
    // Titles of tests are quoted as they are.
    .map(({ place, text }) => ({ place, text: text.replaceAll(/“[^”]*”/g, '') }))
  const found = [...comments, ...prose].filter(({ text }) => STUMBLED_OVER.test(text))
  expect(found.map(({ place, text }) => `${place}: ${text.trim()}`)).toEqual([])
})
