/** An address that may be fetched at all: http or https, and no password in it. Where it leads is judged when it is opened. */
export function parseImportUrl(text: string): URL | null {
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') return null
  return url.hostname === '' ? null : url
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
