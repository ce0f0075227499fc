/** What a picture says. Never the brand: that is a setting of each server, and the pictures come with the program. */
export interface Card {
  readonly title: string
  readonly description: string
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

const MARK = `
  <circle cx="16" cy="16" r="5" fill="#e5484d"/>
  <path d="M8.9 8.9a10 10 0 0 0 0 14.2M23.1 8.9a10 10 0 0 1 0 14.2" fill="none" stroke="#adf0dd" stroke-width="2.4" stroke-linecap="round"/>`

const STARS = [
  [700, 70],
  [860, 130],
  [930, 52],
  [1010, 210],
  [1120, 300],
  [1150, 70],
  [760, 190],
]

const WINDOWS = [
  [36, 116],
  [46, 116],
  [36, 128],
  [88, 124],
  [96, 134],
  [138, 104],
  [146, 114],
  [138, 124],
  [252, 120],
  [260, 130],
  [296, 134],
]

/** The city of the landing page (`night-scene.tsx`), in its dark colours. */
const CITY = `
  <path d="M0 180V112h22V96h26v26h14V86h34v44h20v-24h30V88h18v52h22v-30h28V86h32v46h18v-28h30v20h26v56z" fill="var(--teal-4)"/>
  <path d="M0 180v-44h30v-28h28v38h22v-32h24v24h24V94h24v52h34v-20h26v20h34v-36h22v30h22v-14h30v54z" fill="var(--teal-3)"/>
  ${WINDOWS.map(([x, y]) => `<rect x="${x}" y="${y}" width="4" height="5" fill="var(--amber-11)"/>`).join('')}`

/** Twice, side by side, along the lower edge. */
const NIGHT = `<svg width="1200" height="630" viewBox="0 0 1200 630">
  <path d="M1040 96a44 44 0 1 0 44 62a36 36 0 0 1-44-62z" fill="var(--teal-12)"/>
  ${STARS.map(([x, y]) => `<circle cx="${x}" cy="${y}" r="2" fill="var(--teal-11)"/>`).join('')}
  <g transform="translate(0 330) scale(1.875)">${CITY}<g transform="translate(320)">${CITY}</g></g>
</svg>`

/** A page of 1200x630 in the page's own typeface and colours. */
export const cardHtml = ({ title, description }: Card, styles: string): string => `<!doctype html>
<html lang="id" class="dark"><head><meta charset="utf-8"><link rel="stylesheet" href="${styles}"><style>
  body { margin: 0; width: 1200px; height: 630px; overflow: hidden; background: var(--teal-1); color: #fff; position: relative }
  svg { display: block }
  .words { position: absolute; inset: 60px 72px auto 72px }
  .top { display: flex; align-items: center; gap: 20px; font-size: 26px; font-weight: 600; color: var(--teal-11) }
  h1 { margin: 40px 0 0; max-width: ${title.length > 34 ? 940 : 820}px; font-size: ${title.length > 34 ? 62 : 72}px; line-height: 1.1; font-weight: 800; letter-spacing: -.02em; text-wrap: balance }
  p { margin: 24px 0 0; max-width: 860px; font-size: 28px; line-height: 1.4; color: #d6e6e2; text-wrap: pretty }
</style></head><body>
  ${NIGHT}
  <div class="words">
    <div class="top"><svg width="72" height="72" viewBox="0 0 32 32"><rect width="32" height="32" rx="9" fill="#0d3d38"/>${MARK}</svg>Siaran langsung nonstop</div>
    <h1>${escaped(title)}</h1>
    <p>${escaped(description)}</p>
  </div>
</body></html>`

/** The mark on its ground. A phone cuts a maskable icon to its own shape: the mark keeps to the middle, and nothing is round by itself. */
export const iconHtml = (size: number, shape: 'round' | 'whole'): string => {
  const mark = shape === 'whole' ? `<g transform="translate(16 16) scale(.8) translate(-16 -16)">${MARK}</g>` : MARK
  return `<!doctype html><style>body{margin:0}svg{display:block}</style>
<svg width="${size}" height="${size}" viewBox="0 0 32 32"><rect width="32" height="32" rx="${shape === 'whole' ? 0 : 9}" fill="#0d3d38"/>${mark}</svg>`
}
