import { PAGE_TOKENS, type PageToken, SETTINGS_PLACEHOLDER } from '@siarin/contracts/prerendered'
import { type PublicSettings, SETTINGS_ELEMENT_ID } from '@siarin/contracts/settings'

/** For text and for attributes in quotes, of HTML and of XML. */
export const escapeMarkup = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#x27;')

/** A JSON block is data, not script: the Content-Security-Policy has nothing against it. '<' is escaped so that no value can end it. */
const settingsBlock = (settings: PublicSettings): string =>
  `<script type="application/json" id="${SETTINGS_ELEMENT_ID}">${JSON.stringify(settings).replaceAll('<', '\\u003c')}</script>`

/** A lone half of a character has no encoding, and the call would throw. */
const encodeForUrl = (text: string): string => encodeURIComponent(text.toWellFormed())

type Fill = (settings: PublicSettings) => string

const TOKENS = Object.keys(PAGE_TOKENS) as PageToken[]

/** What stands in a page's file, and what comes in its place: by where it stands, a value is escaped in another way. */
const FILLS: ReadonlyMap<string, Fill> = new Map([
  [SETTINGS_PLACEHOLDER, settingsBlock],
  ...TOKENS.flatMap((token): [string, Fill][] => [
    [PAGE_TOKENS[token], (settings) => escapeMarkup(String(settings[token]))],
    // Within an address that the page made of it, a token is encoded as its value would be.
    [encodeURIComponent(PAGE_TOKENS[token]), (settings) => escapeMarkup(encodeForUrl(String(settings[token])))],
  ]),
])

const PLACES = new RegExp(`(${[...FILLS.keys()].join('|')})`)

/** Reads a prerendered page once; the answer fills the settings in. */
export function pageTemplate(html: string): Fill {
  // Odd parts are places: that is what splitting by a group leaves. A value is never read for places again.
  const parts = html.split(PLACES).map((part) => FILLS.get(part) ?? part)
  return (settings) => parts.map((part) => (typeof part === 'string' ? part : part(settings))).join('')
}
