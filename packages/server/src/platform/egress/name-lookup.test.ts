import { describe, expect, it } from 'vitest'
import { createPatientLookup } from './name-lookup.ts'

/** A name server that is silent about some names, and whose silence holds a thread for good unless it is ended. */
function system() {
  const asked: string[] = []
  const ends = new Map<string, () => void>()
  const ask = (name: string): Promise<readonly string[]> => {
    asked.push(name)
    if (!name.startsWith('slow')) return Promise.resolve(['192.0.2.1'])
    return new Promise((_resolve, reject) => ends.set(name, () => reject(new Error('no answer'))))
  }
  return { ask, asked, end: (name: string) => ends.get(name)?.() }
}

const SLOW = ['slow1', 'slow2', 'slow3', 'slow4', 'slow5']

describe('the lookup of a name by the system', () => {
  it('is given up in time', async () => {
    const lookup = createPatientLookup(system().ask, 20)
    expect(await lookup('slow1')).toEqual([])
    expect(await lookup('slow2', { forTarget: true })).toEqual([])
  })

  it('finds nothing where the system fails', async () => {
    const failing = () => Promise.reject(new Error('not known'))
    expect(await createPatientLookup(failing, 60_000)('a.test')).toEqual([])
  })

  it('lets slow names hold a few threads only, and targets pass', async () => {
    const { ask, asked, end } = system()
    const lookup = createPatientLookup(ask, 60_000)
    for (const name of SLOW) lookup(name)
    const other = lookup('other.test')
    expect(await lookup('target.test', { forTarget: true })).toEqual(['192.0.2.1'])
    expect(asked).toEqual([...SLOW, 'target.test'])
    end('slow1')
    expect(await other).toEqual(['192.0.2.1'])
  })

  it('is not made any more for whoever has given up waiting', async () => {
    const { ask, asked, end } = system()
    const lookup = createPatientLookup(ask, 20)
    for (const name of SLOW) lookup(name)
    expect(await lookup('late.test')).toEqual([])
    for (const name of SLOW) end(name)
    expect(await lookup('next.test')).toEqual(['192.0.2.1'])
    expect(asked).toEqual([...SLOW, 'next.test'])
  })
})
