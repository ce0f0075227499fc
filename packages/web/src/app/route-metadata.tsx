import { useEffect } from 'react'
import { useLocation, useMatches } from 'react-router'
import { useOnAir } from '../lib/on-air.ts'
import { settings } from '../lib/settings.ts'

export interface RouteMetadata {
  /** What stands behind '{brand} - '. */
  readonly title: string
  readonly description: string
}

export const FALLBACK_METADATA: RouteMetadata = {
  title: 'Teknologi, Informasi, Pemrograman dan Bot',
  description: 'Seputar teknologi, informasi, pemrograman dan bot dalam bahasa Indonesia.',
}

const isMetadata = (handle: unknown): handle is RouteMetadata =>
  typeof handle === 'object' && handle !== null && 'title' in handle && 'description' in handle

function descriptionElement(): HTMLMetaElement {
  const present = document.querySelector<HTMLMetaElement>('meta[name="description"]')
  if (present) return present
  const made = document.createElement('meta')
  made.name = 'description'
  document.head.append(made)
  return made
}

/** Phones share the canonical address: it must be that of the page one sees. */
function keepCanonical(pathname: string): void {
  const link = document.querySelector<HTMLLinkElement>('link[rel="canonical"]')
  if (link) link.href = settings().server + pathname
}

/** Keeps title, description and canonical address in step with the deepest route that has metadata. */
export function RouteMetadataKeeper() {
  const { pathname } = useLocation()
  const handles = useMatches().map((match) => match.handle)
  const { title, description } = handles.findLast(isMetadata) ?? FALLBACK_METADATA

  const lamp = useOnAir() ? '● ' : ''

  // Two paths may share a title; each change of path refreshes it.
  useEffect(() => {
    document.title = `${lamp}${settings().brand} - ${title}`
    descriptionElement().content = description
    keepCanonical(pathname)
  }, [pathname, title, description, lamp])

  return null
}
