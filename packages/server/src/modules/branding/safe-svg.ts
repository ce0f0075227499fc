import { TURN_MS } from '../../platform/loop-turn.ts'
import { nextStep } from '../../platform/small-steps.ts'

/** Drawings and nothing else. What is not here is refused, also what a later renderer may come to understand. */
const ELEMENTS = new Set(
  [
    'svg g defs symbol use switch title desc metadata style a',
    'path rect circle ellipse line polyline polygon text tspan textPath',
    'linearGradient radialGradient stop pattern clipPath mask marker filter',
    'feBlend feColorMatrix feComponentTransfer feComposite feConvolveMatrix feDiffuseLighting feDisplacementMap feDistantLight',
    'feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur feMerge feMergeNode feMorphology feOffset',
    'fePointLight feSpecularLighting feSpotLight feTile feTurbulence',
  ].flatMap((names) => names.split(' ')),
)
/** Elements of drawing programs have a prefix, and no renderer knows them; what loads or runs something is refused under any prefix. */
const NEVER = new Set(
  'script foreignobject image feimage include fallback iframe object embed audio video canvas handler listener set animate'.split(
    ' ',
  ),
)
const SVG_SPACE = 'http://www.w3.org/2000/svg'
const INCLUDE_SPACE = /XInclude/i

/** `piece`: one tag, one text or one style sheet. It is read in one step, while nothing else is served. */
export const SVG_LIMITS = {
  bytes: 1024 ** 2,
  piece: 256 * 1024,
  elements: 20_000,
  depth: 64,
  uses: 200,
  attributes: 100,
}

const NAME = /^[A-Za-z_][\w.-]*(?::[A-Za-z_][\w.-]*)?$/
const SPACE = /\s/

interface Tag {
  readonly name: string
  readonly attributes: readonly (readonly [name: string, value: string])[]
  readonly kind: 'open' | 'close' | 'whole'
}

/**
 * Whether it is a drawing that can be made into a picture: no script, nothing from elsewhere, no entities, and of a bounded size and depth.
 * Strict: what it does not understand is not safe. It reads each character a bounded number of times, in small steps.
 */
export async function isSafeSvg(file: Uint8Array): Promise<boolean> {
  if (file.byteLength > SVG_LIMITS.bytes) return false
  const text = decode(file)
  return text !== null && isSafe(text)
}

/** UTF-8 alone: in another encoding the same bytes may say something else to the program that draws it. */
function decode(file: Uint8Array): string | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(file)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: XML has none of these
    return /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/.test(text) ? null : text
  } catch {
    return null
  }
}

async function isSafe(text: string): Promise<boolean> {
  const open: string[] = []
  const counts = { elements: 0, uses: 0 }
  let at = 0
  let isOver = false
  let style = ''
  let steppedAt = performance.now()
  while (at < text.length) {
    if (performance.now() - steppedAt > TURN_MS) {
      await nextStep()
      steppedAt = performance.now()
    }
    const next = text.indexOf('<', at)
    const between = text.slice(at, next < 0 ? text.length : next)
    if (between.length > SVG_LIMITS.piece) return false
    if (open.length === 0 ? between.trim() !== '' : !isText(between)) return false
    if (open.at(-1) === 'style') style += between
    if (style.length > SVG_LIMITS.piece) return false
    if (next < 0) break
    const skipped = skipAside(text, next)
    if (skipped === null) return false
    if (skipped > next) {
      at = skipped
      continue
    }
    const end = tagEnd(text, next)
    const tag = end < 0 || end - next > SVG_LIMITS.piece ? null : readTag(text.slice(next + 1, end))
    if (!tag || isOver || !isAllowed(tag, open, counts)) return false
    if (tag.kind === 'close') {
      if (open.pop() !== tag.name) return false
      if (tag.name === 'style' && !isSafeCss(unescaped(style))) return false
      if (tag.name === 'style') style = ''
    } else if (tag.kind === 'open') open.push(tag.name)
    isOver = open.length === 0
    at = end + 1
  }
  return isOver
}

/** Comments, and the declaration at the very beginning. The same place: there is none. Null: it is none that we take. */
function skipAside(text: string, at: number): number | null {
  if (text.startsWith('<!--', at)) {
    const end = text.indexOf('-->', at + 4)
    return end < 0 ? null : end + 3
  }
  if (text.startsWith('<!', at)) return null
  if (!text.startsWith('<?', at)) return at
  const end = text.indexOf('?>', at)
  const isDeclaration = text.slice(0, at).trim() === '' && /^<\?xml\s/.test(text.slice(at, at + 6))
  if (end < 0 || !isDeclaration) return null
  const encoding = /encoding\s*=\s*["']([^"']*)["']/.exec(text.slice(at, end))?.[1] ?? 'utf-8'
  return /^utf-?8$/i.test(encoding) ? end + 2 : null
}

/** The `>` that ends it: one in quotes does not. */
function tagEnd(text: string, from: number): number {
  let quote = ''
  for (let at = from + 1; at < text.length; at++) {
    const char = text[at]
    if (quote) {
      if (char === quote) quote = ''
    } else if (char === '"' || char === "'") quote = char
    else if (char === '>') return at
    else if (char === '<') return -1
  }
  return -1
}

function readTag(inside: string): Tag | null {
  if (inside.startsWith('/')) {
    const name = inside.slice(1).trimEnd()
    return NAME.test(name) ? { name, attributes: [], kind: 'close' } : null
  }
  const kind = inside.endsWith('/') ? 'whole' : 'open'
  const body = kind === 'whole' ? inside.slice(0, -1) : inside
  const name = /^[^\s/]+/.exec(body)?.[0] ?? ''
  const attributes = NAME.test(name) ? readAttributes(body.slice(name.length)) : null
  return attributes && { name, attributes, kind }
}

function readAttributes(body: string): (readonly [string, string])[] | null {
  const found: [string, string][] = []
  let at = 0
  const skipSpace = () => {
    const from = at
    while (at < body.length && SPACE.test(body[at] ?? '')) at++
    return at > from
  }
  for (;;) {
    const hadSpace = skipSpace()
    if (at >= body.length) return new Set(found.map(([name]) => name)).size === found.length ? found : null
    if (!hadSpace || found.length >= SVG_LIMITS.attributes) return null
    const equals = body.indexOf('=', at)
    if (equals < 0) return null
    const name = body.slice(at, equals).trimEnd()
    at = equals + 1
    skipSpace()
    const quote = body[at]
    if (!NAME.test(name) || (quote !== '"' && quote !== "'")) return null
    const end = body.indexOf(quote, at + 1)
    if (end < 0) return null
    const value = body.slice(at + 1, end)
    if (value.includes('<') || !isText(value)) return null
    found.push([name, unescaped(value)])
    at = end + 1
  }
}

const REFERENCE = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|(amp|lt|gt|quot|apos));/gi
const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** Every reference in it is one that XML has by itself. */
const isText = (text: string): boolean => !text.includes('&') || !text.replace(REFERENCE, '').includes('&')

const unescaped = (text: string): string =>
  text.replace(REFERENCE, (_all, decimal?: string, hex?: string, name?: string) => {
    if (name) return NAMED[name.toLowerCase()] ?? ''
    const code = decimal ? Number(decimal) : Number.parseInt(hex ?? '', 16)
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd'
  })

function isAllowed(
  { name, attributes, kind }: Tag,
  open: readonly string[],
  counts: { elements: number; uses: number },
): boolean {
  if (kind === 'close') return true
  counts.elements++
  if (name === 'use') counts.uses++
  if (counts.elements > SVG_LIMITS.elements || counts.uses > SVG_LIMITS.uses) return false
  if (open.length >= SVG_LIMITS.depth || (open.length === 0 && name !== 'svg')) return false
  // What stands in a style sheet is text.
  if (open.at(-1) === 'style') return false
  const local = name.includes(':') ? name.slice(name.indexOf(':') + 1) : name
  if (NEVER.has(local.toLowerCase()) || local.toLowerCase().startsWith('animate')) return false
  return (name.includes(':') || ELEMENTS.has(name)) && attributes.every(isSafeAttribute)
}

function isSafeAttribute([name, value]: readonly [string, string]): boolean {
  const lower = name.toLowerCase()
  const local = lower.slice(lower.indexOf(':') + 1)
  if (lower === 'xmlns') return value === SVG_SPACE
  // Under a prefix of its own, an element of SVG would not look like one.
  if (lower.startsWith('xmlns:')) return value !== SVG_SPACE && !INCLUDE_SPACE.test(value)
  if (local.startsWith('on') || lower === 'xml:base') return false
  if (local === 'href' || local === 'src') return value.trim() === '' || value.trim().startsWith('#')
  return isSafeCss(value)
}

/** In a style sheet, in `style` and in any attribute: what it points to lies in the file itself. */
function isSafeCss(css: string): boolean {
  // An escape may spell anything.
  if (css.includes('\\')) return false
  const plain = withoutComments(css)
  return plain !== null && [css, plain].every(pointsInside)
}

const LOADS =
  /@(?:import|font-face|namespace|charset)|javascript ?:|expression ?\(|image(?:-set)? ?\(|\bsrc ?\(|url ?\((?! ?["']? ?#)/i

/** One space for many first: what looks for several of them in a row takes the square of the time. */
const pointsInside = (css: string): boolean => !LOADS.test(css.replace(/\s+/g, ' '))

/** Null: one never ends. */
function withoutComments(css: string): string | null {
  let [plain, at] = ['', 0]
  for (;;) {
    const begin = css.indexOf('/*', at)
    if (begin < 0) return plain + css.slice(at)
    const end = css.indexOf('*/', begin + 2)
    if (end < 0) return null
    plain += css.slice(at, begin)
    at = end + 2
  }
}
