import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isSafeSvg, SVG_LIMITS } from './safe-svg.ts'

const NS = 'xmlns="http://www.w3.org/2000/svg"'
const of = (inside: string, attributes = '') => `<svg ${NS} ${attributes}>${inside}</svg>`
const isSafe = (text: string) => isSafeSvg(Buffer.from(text))

const DRAWINGS: Readonly<Record<string, string>> = {
  plain: of('<rect width="10" height="10" fill="#f00"/>', 'width="10" height="10"'),
  declared: `<?xml version="1.0" encoding="UTF-8" standalone="no"?>\n<!-- made by hand -->\n${of('<path d="M0 0h1v1z"/>')}\n`,
  'of one tag': `<svg ${NS}/>`,
  styled: of('<style>.a{fill:url(#g)} /* nothing */ .b{stroke:#fff}</style><g class="a"><circle r="1"/></g>'),
  graded: of(
    '<defs><linearGradient id="g"><stop offset="0"/></linearGradient></defs><rect fill="url(#g)" style="filter:url( \'#f\' )"/>',
  ),
  used: of(
    '<defs><g id="a"/></defs><use href="#a"/><use xlink:href="#a"/>',
    'xmlns:xlink="http://www.w3.org/1999/xlink"',
  ),
  'of a drawing program': of(
    '<metadata><rdf:RDF><cc:Work rdf:about=""/></rdf:RDF></metadata><sodipodi:namedview inkscape:zoom="1"/><g inkscape:label="Layer"/>',
    'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:cc="http://creativecommons.org/ns#" xmlns:inkscape="http://www.inkscape.org/" xmlns:sodipodi="http://sodipodi.sourceforge.net/"',
  ),
  'with words': of('<text x="1">Kopi &amp; Teh &#233; &#x41; &lt;</text><title>a > b</title>'),
  'with quotes': of(`<text font-family='"Plus Jakarta Sans"' data-x="a > b">x</text>`),
}

const HOSTILE: Readonly<Record<string, string>> = {
  'no drawing': '<html></html>',
  nothing: '',
  'text only': 'GIF89a',
  'two roots': `${of('')}${of('')}`,
  'something behind': `${of('')}x`,
  unclosed: `<svg ${NS}><g></svg>`,
  'never closed': `<svg ${NS}><g>`,
  'closed twice': of('</g>'),
  script: of('<script>alert(1)</script>'),
  'script in capitals': of('<SCRIPT>alert(1)</SCRIPT>'),
  'script under a prefix': of('<s:script/>', 'xmlns:s="http://www.w3.org/2000/svg"'),
  'script under another prefix': of('<h:script/>', 'xmlns:h="http://www.w3.org/1999/xhtml"'),
  'a prefix of SVG itself': of('<s:image/>', 'xmlns:s="http://www.w3.org/2000/svg"'),
  'another name space': '<svg xmlns="http://www.w3.org/1999/xhtml"/>',
  handler: of('<g onload="alert(1)"/>'),
  'handler on the root': of('', 'onload="alert(1)"'),
  'handler in capitals': of('<g OnClick="x"/>'),
  'foreign object': of('<foreignObject><body xmlns="http://www.w3.org/1999/xhtml"/></foreignObject>'),
  image: of('<image href="file:///etc/passwd"/>'),
  'embedded image': of('<image href="data:image/png;base64,AAAA"/>'),
  'image filter': of('<filter><feImage href="#a"/></filter>'),
  'use of another file': of('<use href="other.svg#a"/>'),
  'use of an address': of('<use xlink:href="http://a.example/#a"/>', 'xmlns:xlink="http://www.w3.org/1999/xlink"'),
  'use of data': of('<use href="data:image/svg+xml;base64,AAAA#a"/>'),
  'use of a spelled address': of('<use href="&#104;ttp://a.example/#a"/>'),
  'link elsewhere': of('<a href="javascript:alert(1)"><g/></a>'),
  doctype: `<!DOCTYPE svg>${of('')}`,
  'entity bomb': `<!DOCTYPE svg [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]>${of('<text>&b;</text>')}`,
  'external entity': `<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>${of('<text>&x;</text>')}`,
  'entity in small letters': `<!doctype svg [<!entity x "y">]>${of('')}`,
  'entity without a doctype': of('<text>&x;</text>'),
  'entity in an attribute': of('<g id="&x;"/>'),
  'style sheet': `<?xml-stylesheet href="http://a.example/x.css"?>${of('')}`,
  'instruction inside': of('<?php echo 1 ?>'),
  'declaration inside': of('<?xml version="1.0"?>'),
  'character data': of('<style><![CDATA[@import "x"]]></style>'),
  'conditional section': of('<![INCLUDE[ ]]>'),
  xinclude: of('<xi:include href="file:///etc/passwd" parse="text"/>', 'xmlns:xi="http://www.w3.org/2001/XInclude"'),
  'xinclude under another name': of('<q:anything/>', 'xmlns:q="http://www.w3.org/2001/XInclude"'),
  base: of('<use href="#a" xml:base="http://a.example/"/>'),
  'css import': of('<style>@import url(http://a.example/x.css);</style>'),
  'css import in parts': of('<style>@im<!-- -->port "x";</style>'),
  'css address': of('<style>rect{fill:url(http://a.example/x.svg#a)}</style>'),
  'css quoted address': of('<style>rect{fill:url( "http://a.example/x.svg#a")}</style>'),
  'css address behind a comment': of('<style>rect{fill:url(/*#*/http://a.example/)}</style>'),
  'css address in a comment of its own': of('<style>rect{fill:u/**/rl(http://a.example/)}</style>'),
  'css escape': of('<style>rect{fill:\\75rl(http://a.example/)}</style>'),
  'css font': of('<style>@font-face{src:url(#a)}</style>'),
  'css spelled': of('<style>&#64;import "x";</style>'),
  'address in an attribute': of('<rect fill="url(http://a.example/)"/>'),
  'address in style': of('<rect style="fill:url(file:///etc/passwd#a)"/>'),
  'spelled address in style': of('<rect style="fill:url&#40;http://a.example/)"/>'),
  'element in a style sheet': of('<style><g/></style>'),
  animation: of('<animate attributeName="href" to="javascript:alert(1)"/>'),
  'animation of motion': of('<animateMotion/>'),
  set: of('<set attributeName="onload" to="x"/>'),
  'unknown element': of('<meshgradient/>'),
  'attribute twice': of('<g id="a" id="b"/>'),
  'attribute without quotes': of('<g id=a/>'),
  'attribute without a value': of('<g id/>'),
  'attributes without a space': of('<g id="a"class="b"/>'),
  'tag in an attribute': of('<g id="<script>"/>'),
  'tag in a tag': of('<g <script>/>'),
  'comment that never ends': of('<!-- x'),
  'nul character': of('<text>\u0000</text>'),
  'other encoding': `<?xml version="1.0" encoding="UTF-16"?>${of('')}`,
  'seven-bit encoding': `<?xml version="1.0" encoding="utf-7"?>${of('+ADw-script+AD4-')}`,
  'too deep': of('<g>'.repeat(SVG_LIMITS.depth) + '</g>'.repeat(SVG_LIMITS.depth)),
  'too many elements': of('<g/>'.repeat(SVG_LIMITS.elements)),
  'too many uses': of('<use href="#a"/>'.repeat(SVG_LIMITS.uses + 1)),
  'too many attributes': of(`<g ${Array.from({ length: 101 }, (_, at) => `a${at}="1"`).join(' ')}/>`),
  'too long a tag': of(`<path d="${'M0 0 '.repeat(SVG_LIMITS.piece / 5)}"/>`),
  'too long a style sheet': of(`<style>${`${'a '.repeat(SVG_LIMITS.piece / 4)}<!-- -->`.repeat(3)}</style>`),
  'too large': of(`<text>${'a'.repeat(SVG_LIMITS.bytes)}</text>`),
}

describe('[BRAND-01] a drawing that somebody sends', () => {
  it.each(Object.entries(DRAWINGS))('is taken: %s', async (_name, text) => expect(await isSafe(text)).toBe(true))
  it.each(Object.entries(HOSTILE))('is refused: %s', async (_name, text) => expect(await isSafe(text)).toBe(false))

  it('is refused where it is no UTF-8', async () => {
    expect(await isSafeSvg(Buffer.from(of('<text>é</text>'), 'latin1'))).toBe(false)
    expect(await isSafeSvg(Buffer.from(`\ufeff${of('')}`, 'utf16le'))).toBe(false)
  })

  it('never passes with something hostile in it, wherever that stands', async () => {
    const hostile = fc.constantFrom(
      ...[
        '<script>',
        '<!DOCTYPE a>',
        '<image href="a"/>',
        '<!ENTITY a "b">',
        '<use href="a.svg#b"/>',
        '<g onload="a"/>',
      ],
      ...['<?a b?>', '<![CDATA[a]]>', '&a;'],
    )
    const harmless = fc.constantFrom('<g/>', '<rect x="1"/>', ' ', 'a', '<g><path d="M0 0"/></g>', '<text>b</text>')
    const parts = fc.array(harmless, { maxLength: 5 }).map((all) => all.join(''))
    await fc.assert(
      fc.asyncProperty(parts, hostile, parts, async (before, bad, after) => {
        expect(await isSafe(of(`${before}${after}`))).toBe(true)
        expect(await isSafe(of(`${before}${bad}${after}`))).toBe(false)
      }),
    )
  })

  it('lets others in while a large one is judged', async () => {
    const large = of(`<g ${Array.from({ length: 90 }, (_, at) => `a${at}="&lt;"`).join(' ')}/>`.repeat(900))
    let served = 0
    const serving = setInterval(() => served++)
    expect(await isSafe(large)).toBe(true)
    clearInterval(serving)
    expect(served).toBeGreaterThan(3)
  })

  it('is judged in a moment, whatever it is', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 500 }), async (text) => void (await isSafe(of(text)))),
    )
    const long = [
      `<svg ${' '.repeat(900_000)}`,
      of('<'.repeat(900_000)),
      of(`<g a="${'&'.repeat(900_000)}"/>`),
      of(`<style>${'url( '.repeat(180_000)}</style>`),
      of(`<style>${'/* '.repeat(300_000)}</style>`),
      of(`<style>${'url'.repeat(300_000)}\\</style>`),
      of(`<style>url(${' '.repeat(900_000)}</style>`),
      of(`<g a${' '.repeat(900_000)}="url(x)"/>`),
    ]
    const began = performance.now()
    expect(await Promise.all(long.map(isSafe))).toEqual(long.map(() => false))
    expect(performance.now() - began).toBeLessThan(5_000)
  })
})
