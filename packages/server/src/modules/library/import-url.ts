import { VIDEO_TEXTS } from '@siarin/contracts/texts'
import { DomainError } from '../../errors.ts'
import { type Egress, EgressRefused } from '../../platform/egress/egress.ts'

/** An address that may be fetched at all. Where it leads is judged when it is opened. */
export function parseImportUrl(text: string, egress: Pick<Egress, 'parse'>): URL {
  try {
    return egress.parse(text)
  } catch (error) {
    if (!(error instanceof EgressRefused)) throw error
    const message = error.why === 'forbidden' ? VIDEO_TEXTS.urlForbidden : VIDEO_TEXTS.urlInvalid
    throw new DomainError('invalid_input', message)
  }
}

/** The last part of the path is what people call the file. */
export function importFilename(url: URL): string {
  const last = url.pathname.split('/').findLast((part) => part !== '') ?? ''
  try {
    return decodeURIComponent(last) || url.hostname
  } catch {
    return last
  }
}
