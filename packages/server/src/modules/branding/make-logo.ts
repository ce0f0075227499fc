import { hash, randomUUID } from 'node:crypto'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { LOGO_MAX_SIDE } from '@siarin/contracts/branding'
import { BRANDING_TEXTS } from '@siarin/contracts/branding-texts'
import { LOGO_SIDE, logoArgs } from '@siarin/media/argv/logo'
import { DomainError } from '../../errors.ts'
import { TooManyWaitError } from '../../platform/fair-turns.ts'
import type { Log } from '../../platform/log.ts'
import { readerMemoryBytes } from '../../platform/process/limited-tool.ts'
import { runBounded } from '../../platform/process/run-bounded.ts'
import type { Timings } from '../../platform/timings.ts'
import { createTurnsAside } from '../../platform/turns-aside.ts'
import { barePng, isPng, pngSize } from './png-chunks.ts'
import { isSafeSvg } from './safe-svg.ts'

interface LogoDeps {
  ffmpegPath: string
  log: Log
  /** Half-made files: whatever is left in it is cleared away after a day (library/sweep-files). */
  workDir: string
  timings: Pick<Timings, 'mediaTools'>
}

export interface MadeLogo {
  /** A file that may be taken away. */
  readonly path: string
  readonly width: number
  readonly height: number
  readonly hash: string
}

/** A logo takes a fifth of a second; an SVG may be made to take all of its five seconds. */
const TURNS = { atOnce: 2, slowMs: 700, mostSlow: 4, mostWaiting: 100, mostWaitingEach: 6 }
const MOST_PIXELS = 16_000_000
const TOOL_OUTPUT_BYTES = 20_000

const tooMany = (): DomainError =>
  new DomainError('rate_limited', BRANDING_TEXTS.tooManyLogos, { retryAfterSeconds: 5 })

const unreadable = (): DomainError => new DomainError('invalid_input', BRANDING_TEXTS.logoUnreadable)

/** What is given to a decoder: bounded in all that it says of itself. */
async function checked(file: Buffer, isSvg: boolean): Promise<Buffer> {
  if (file.length === 0) throw new DomainError('invalid_input', BRANDING_TEXTS.logoEmpty)
  if (isSvg) {
    if (!(await isSafeSvg(file))) throw new DomainError('invalid_input', BRANDING_TEXTS.svgUnsafe)
    return file
  }
  if (!isPng(file)) throw new DomainError('unsupported_media_type', BRANDING_TEXTS.logoType)
  const size = pngSize(file)
  if (!size) throw unreadable()
  if (Math.max(size.width, size.height) > LOGO_MAX_SIDE || size.width * size.height > MOST_PIXELS) {
    throw new DomainError('invalid_input', BRANDING_TEXTS.logoPixels(LOGO_MAX_SIDE))
  }
  const bare = barePng(file)
  if (!bare) throw unreadable()
  return bare
}

/** Makes what somebody sent into a picture of our own. Nothing of the file itself is kept. */
export function createLogoMaker({ ffmpegPath, log, workDir, timings }: LogoDeps) {
  const inTurn = createTurnsAside(TURNS)

  async function make(file: Buffer, isSvg: boolean, folder: string): Promise<MadeLogo> {
    const [input, output] = [join(folder, isSvg ? 'logo.svg' : 'sent.png'), join(folder, 'logo.png')]
    await writeFile(input, file, { mode: 0o600 })
    const run = await runBounded(ffmpegPath, logoArgs({ input, output, isSvg }), {
      ...{
        memoryBytes: readerMemoryBytes(),
        timeoutMs: timings.mediaTools.logoMs,
        priority: 'low',
        maxBytes: TOOL_OUTPUT_BYTES,
      },
    })
    const made = run.code === 0 ? await readFile(output).catch(() => null) : null
    const size = made && pngSize(made)
    if (!made || !size || Math.max(size.width, size.height) > LOGO_SIDE) {
      log.info({ isSvg, timedOut: run.timedOut, said: run.stderr.slice(-500) }, 'a logo could not be read')
      throw unreadable()
    }
    return { path: output, ...size, hash: hash('sha256', made, 'hex').slice(0, 32) }
  }

  /** `use` gets the file, which is gone afterwards. */
  return async function withLogo<T>(
    { owner, sent, isSvg }: { owner: string; sent: Buffer; isSvg: boolean },
    use: (logo: MadeLogo) => Promise<T>,
  ): Promise<T> {
    const file = await checked(sent, isSvg)
    const folder = join(workDir, randomUUID())
    await mkdir(folder, { recursive: true, mode: 0o700 })
    try {
      const made = await inTurn(owner, () => make(file, isSvg, folder)).catch((error) => {
        throw error instanceof TooManyWaitError ? tooMany() : error
      })
      return await use(made)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }
}
