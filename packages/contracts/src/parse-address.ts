const ADDRESS_MAX = 8 * 1024
/** A name has 253 characters at most. To turn one into ASCII costs the square of its length: with 8,000 Chinese signs a tenth of a second. */
const AUTHORITY_MAX = 300

/** As `URL` reads it: control characters and spaces in front count as nothing, tabs and line ends nowhere, and a backslash is a slash. */
const AUTHORITY = /^[\p{Cc} ]*(?:[a-z][a-z\d+.\-\t\n\r]*:|[/\\][\t\n\r]*[/\\])[/\\\t\n\r]*([^/\\?#]*)/iu

/** For every address that somebody else wrote, instead of `URL`. Null: it is none, or too long to be looked at. */
export function parseAddress(text: string, base?: URL): URL | null {
  if (text.length > ADDRESS_MAX) return null
  const [, authority = ''] = AUTHORITY.exec(text) ?? []
  return authority.length > AUTHORITY_MAX ? null : URL.parse(text, base?.href)
}
