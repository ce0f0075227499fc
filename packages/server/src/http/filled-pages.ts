import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { PublicSettings } from '@siarin/contracts/settings'
import type { ServedPage } from './built-pages.ts'

/** A server has about twenty pages under its one address. Without PUBLIC_URL visitors decide the address: they push each other out. */
const MOST_KEPT = 40

export type PageEncoding = 'br' | 'gzip' | 'identity'

const COMPRESS: Record<PageEncoding, (bytes: Buffer) => Promise<Buffer>> = {
  // Nine tenths of what the hardest level saves, in a hundredth of its time: a page is compressed while its first visitor waits.
  br: (bytes) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: (bytes) => promisify(gzip)(bytes),
  identity: async (bytes) => bytes,
}

export interface FilledPage {
  readonly etag: string
  encoded(encoding: PageEncoding): Promise<Buffer>
}

function filledPage(html: string): FilledPage {
  const bytes = Buffer.from(html)
  const made = new Map<PageEncoding, Promise<Buffer>>()
  return {
    // Weak: the same page in every encoding.
    etag: `W/"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`,
    encoded(encoding) {
      const encoded = made.get(encoding) ?? COMPRESS[encoding](bytes)
      made.set(encoding, encoded)
      return encoded
    },
  }
}

/** Pages with the settings in them, kept for the next visitor. */
export function createFilledPages() {
  const kept = new Map<string, FilledPage>()
  return (page: ServedPage, settings: PublicSettings): FilledPage => {
    // The other settings stay as they are while the program runs.
    const key = `${page.path} ${settings.year} ${settings.server}`
    const filled = kept.get(key) ?? filledPage(page.fill(settings))
    // The last one used stands last, the first one goes.
    kept.delete(key)
    kept.set(key, filled)
    const [oldest] = kept.keys()
    if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest)
    return filled
  }
}
