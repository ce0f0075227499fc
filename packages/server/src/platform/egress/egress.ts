import { judgeHost } from './address-guard.ts'
import { type Download, openDownload } from './guarded-download.ts'

export type { Download } from './guarded-download.ts'

/** Why an address of somebody else's choosing is not reached. */
export type RefusalReason = 'invalid' | 'forbidden' | 'unknown-host'

export class EgressRefused extends Error {
  readonly why: RefusalReason

  constructor(why: RefusalReason, cause?: unknown) {
    super(`address refused: ${why}`, { cause })
    this.why = why
  }
}

/** Everything that reaches out to an address that a user chose goes through here. */
export interface Egress {
  /** An address that may be fetched at all: of these schemes, without a password, with a host. Where it leads is judged by the others. */
  parse(text: string, schemes?: readonly string[]): URL
  /** Every address behind a name; refused when one of them is somebody's inside. Only these may be connected to. */
  resolve(host: string): Promise<readonly string[]>
  /** Fetches over http or https; every hop of a redirect is judged like the first address. */
  open(url: URL, options: { signal: AbortSignal; idleMs?: number; range?: string | undefined }): Promise<Download>
}

export function createEgress({ allowPrivateNetwork }: { allowPrivateNetwork: boolean }): Egress {
  return {
    parse(text, schemes = ['http:', 'https:']) {
      const url = URL.parse(text)
      if (!url?.hostname || !schemes.includes(url.protocol) || url.username || url.password) {
        throw new EgressRefused('invalid')
      }
      return url
    },
    async resolve(host) {
      const verdict = await judgeHost(host)
      if (verdict === 'unknown-host') throw new EgressRefused('unknown-host')
      if (verdict === 'private' && !allowPrivateNetwork) throw new EgressRefused('forbidden')
      return [host]
    },
    open: (url, options) => openDownload(url, { ...options, allowPrivateNetwork }),
  }
}
