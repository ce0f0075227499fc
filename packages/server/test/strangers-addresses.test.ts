import { expect, it, vi } from 'vitest'
import { checkDiscord } from '../src/modules/alerts/channels/discord.ts'
import { sourceFilename } from '../src/modules/broadcasts/spec/source-filename.ts'
import { rewritePlaylist } from '../src/modules/platforms/rewrite-playlist.ts'
import { createEgress } from '../src/platform/egress/egress.ts'
import { programSteps } from '../src/platform/small-steps.ts'

/** Fifty milliseconds, at five times that bound. */
const HELD_MS = 250
const BASE = new URL('http://cdn.example/live.m3u8')

/** Every second sign is another one that has to be put into ASCII. */
const costly = (length: number): string =>
  `http://${Array.from({ length }, (_, at) => (at % 2 ? 'a' : String.fromCharCode(0x4e_00 + at / 2))).join('')}/`

/** The longest that nothing else went on, while the work did. */
async function heldMs(work: () => unknown): Promise<number> {
  let longest = 0
  let since = performance.now()
  const look = () => {
    longest = Math.max(longest, performance.now() - since)
    since = performance.now()
  }
  const looking = setInterval(look, 0)
  await work()
  look()
  clearInterval(looking)
  return longest
}

const { parse } = createEgress({ allowPrivateNetwork: false, dnsServers: [] })

it.each<[string, (address: string) => void]>([
  ['a source or a target', (address) => void expect(() => parse(address)).toThrow('invalid')],
  ['what is to go on air', (address) => expect(sourceFilename(address)).toBeNull()],
  ['a webhook of Discord', (address) => expect(checkDiscord(address, 'https://discord.com').ok).toBe(false)],
])('[SAFE-01] an endless name in the address of %s holds nobody up', async (_, use) => {
  const address = costly(8_170)
  const fiveTimes = () => Array.from({ length: 5 }, () => use(address))
  expect(await heldMs(fiveTimes)).toBeLessThan(HELD_MS)
})

const VARIABLE = '#EXT-X-DEFINE:NAME="u",VALUE='

it.each([
  ['endless names', `${costly(8_170)}\n`.repeat(20)],
  ['an endless name in a variable', `${VARIABLE}"${costly(8_000)}"\n${'{$u}\n'.repeat(60)}`],
])('[SAFE-01] a playlist with %s holds nobody up', async (_, lines) => {
  const work = () => rewritePlaylist(`#EXTM3U\n${lines}`, BASE, (url) => url?.href ?? '-')
  expect(await heldMs(work)).toBeLessThan(HELD_MS)
})

it('[SAFE-01] a playlist whose short lines hold a long variable is rewritten in as many steps as one of long lines', async () => {
  const steps = vi.spyOn(programSteps, 'of')
  const lines = `${VARIABLE}"${'x'.repeat(8_000)}"\n${'{$u}\n'.repeat(60)}`
  await rewritePlaylist(`#EXTM3U\n${lines}`, BASE, () => '-')
  expect(steps.mock.calls.length).toBeGreaterThan(15)
  steps.mockRestore()
})

it('a playlist is rewritten no further once its caller has left', async () => {
  const left = new AbortController()
  let addresses = 0
  const work = rewritePlaylist(
    `#EXTM3U\n${'a\n'.repeat(10_000)}`,
    BASE,
    () => {
      if (++addresses === 100) left.abort()
      return '-'
    },
    left.signal,
  )
  await expect(work).rejects.toThrow('abort')
  expect(addresses).toBeLessThan(200)
})
