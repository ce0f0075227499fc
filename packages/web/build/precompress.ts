import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Plugin } from 'vite'

const COMPRESSIBLE = /\.(js|css|svg|json|txt)$/

const ENCODINGS = [
  {
    extension: '.br',
    compress: (bytes: Buffer): Promise<Buffer> =>
      promisify(brotliCompress)(bytes, {
        params: {
          [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
          [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
        },
      }),
  },
  {
    extension: '.gz',
    compress: (bytes: Buffer): Promise<Buffer> => promisify(gzip)(bytes, { level: constants.Z_BEST_COMPRESSION }),
  },
]

/** Compresses once, at build time and as hard as possible, what the server would otherwise compress anew for each visitor. */
export const precompress = (): Plugin => ({
  name: 'siarin-precompress',
  apply: 'build',
  async writeBundle({ dir = '' }, bundle) {
    const files = Object.keys(bundle).filter((file) => COMPRESSIBLE.test(file))
    await Promise.all(
      files.flatMap((file) =>
        ENCODINGS.map(async ({ extension, compress }) => {
          const bytes = await readFile(join(dir, file))
          const compressed = await compress(bytes)
          if (compressed.length < bytes.length) await writeFile(join(dir, file + extension), compressed)
        }),
      ),
    )
  },
})
