import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')
const text = readFileSync(join(root, 'docs/security.md'), 'utf8')

/** How many points of level 1 and 2 each section of ASVS 5.0 has. In each they are the first, without a gap. */
const POINTS = `V1.1:2 V1.2:9 V1.3:11 V1.4:3 V1.5:2 V2.1:3 V2.2:3 V2.3:4 V2.4:1 V3.2:2 V3.3:4 V3.4:6 V3.5:5 V3.7:2
  V4.1:3 V4.2:1 V4.3:2 V4.4:4 V5.1:1 V5.2:3 V5.3:2 V5.4:3 V6.1:3 V6.2:12 V6.3:4 V6.4:4 V6.5:5 V6.6:3 V6.8:4
  V7.1:3 V7.2:4 V7.3:2 V7.4:5 V7.5:2 V7.6:2 V8.1:2 V8.2:3 V8.3:1 V8.4:1 V9.1:3 V9.2:4
  V10.1:2 V10.2:2 V10.3:4 V10.4:11 V10.5:5 V10.6:2 V10.7:3 V11.1:2 V11.2:3 V11.3:3 V11.4:4 V11.5:1 V11.6:1
  V12.1:3 V12.2:2 V12.3:4 V13.1:1 V13.2:5 V13.3:2 V13.4:5 V14.1:2 V14.2:4 V14.3:3 V15.1:3 V15.2:3 V15.3:7
  V16.1:1 V16.2:5 V16.3:4 V16.4:3 V16.5:3 V17.1:1 V17.2:4 V17.3:2`

const wanted = POINTS.split(/\s+/).flatMap((section) => {
  const [name, count] = section.split(':')
  return Array.from({ length: Number(count) }, (_, index) => `${name}.${index + 1}`)
})

const rows = [...text.matchAll(/^\| (V[\d.]+) \| [^|]+ \| ([a-z ]+) \| (.+) \|$/gm)].map(([, id, verdict, where]) => ({
  id,
  verdict,
  where,
}))

/** Paths begin at the root or in `packages/`. */
const placesOf = (path: string): string[] => [join(root, path), join(root, 'packages', path)]
const fileAt = (path: string): string | undefined => placesOf(path).find((place) => existsSync(place))

const PATH = /`((?:[\w.-]+\/)*[\w-][\w.-]*\.(?:tsx?|mjs|js|json|md))`/
const PATH_OR_TITLE = new RegExp(`${PATH.source}|“([^”]+)”`, 'g')

/** Every file that the text names, and every title of a test with the file that stands before it in its line. */
const claims = text.split('\n').flatMap((line) => {
  let file = ''
  return [...line.matchAll(PATH_OR_TITLE)].map(([, path, title]) => {
    file = path ?? file
    return { file, title }
  })
})

describe('docs/security.md', () => {
  it('has each point of level 1 and 2 once, in their order', () => {
    expect(rows.map(({ id }) => id)).toEqual(wanted)
    expect(text.match(/^\| V\d/gm)).toHaveLength(wanted.length)
  })

  it('knows four verdicts, and one that is met names a file or a table of its own', () => {
    for (const { id, verdict, where } of rows) {
      expect(['met', 'partly', 'not met', 'not applicable'], id).toContain(verdict)
      if (verdict === 'met') expect(where, id).toMatch(new RegExp(`${PATH.source}|above|table of`))
    }
  })

  it('lists at its beginning what is not met', () => {
    const [, list = ''] = /^## What is not met\n(.*?)^## /ms.exec(text) ?? []
    const notMet = rows.filter(({ verdict }) => verdict === 'not met').map(({ id }) => id)
    expect([...list.matchAll(/^- (V[\d.]+):/gm)].map(([, id]) => id)).toEqual(notMet)
  })

  it('names files that exist', () => {
    expect(claims.map(({ file }) => file).filter((file) => !fileAt(file))).toEqual([])
  })

  it('names tests by words of their titles', () => {
    const titled = claims.filter(({ title }) => title)
    expect(titled.length).toBeGreaterThan(50)
    const invented = titled.filter(({ file, title = '' }) => !readFileSync(fileAt(file) ?? '', 'utf8').includes(title))
    expect(invented).toEqual([])
  })
})
