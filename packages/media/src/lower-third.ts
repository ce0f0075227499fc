export interface LineLook {
  readonly size: { readonly width: number; readonly height: number }
  readonly fontSize: number
  /** On either side of the text. */
  readonly gap: number
  readonly align: 'left' | 'center' | 'right'
  /** The opacity of the band, from 0 to 1. */
  readonly opacity: number
  /** `#rrggbb` each. */
  readonly colours: { readonly text: string; readonly background: string }
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
}
/** How far below the middle of the band the letters stand, of their size: half of a capital's height. */
const BASELINE = 0.365

/** A drawing of the band with its line: librsvg sets it as a browser would, in any script that the machine has a font for. */
export function lowerThirdSvg(text: string, { size, fontSize, gap, align, opacity, colours }: LineLook): string {
  const { width, height } = size
  const anchor = { left: 'start', center: 'middle', right: 'end' }[align]
  const x = { left: gap, center: width / 2, right: width - gap }[align]
  const y = (height / 2 + fontSize * BASELINE).toFixed(2)
  const letters = text.replace(/[&<>"']/g, (letter) => ENTITIES[letter] ?? '')
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">`,
    `<rect width="${width}" height="${height}" fill="${colours.background}" fill-opacity="${opacity.toFixed(2)}"/>`,
    `<text x="${x}" y="${y}" text-anchor="${anchor}" font-family="DejaVu Sans, sans-serif" font-weight="bold"`,
    ` font-size="${fontSize}" fill="${colours.text}">${letters}</text></svg>`,
  ].join('')
}
