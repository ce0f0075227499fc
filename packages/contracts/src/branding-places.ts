import type { LogoLook, LowerThirdLook } from './branding.ts'

/** Where things stand in a picture, in its pixels. The preview in the browser and the server that burns them in count alike. */

export interface Size {
  readonly width: number
  readonly height: number
}

export interface Box extends Size {
  readonly x: number
  readonly y: number
}

/** Even, since the colours of two lines are one: so nothing beside the box changes. */
const even = (length: number): number => Math.max(2, Math.round(length / 2) * 2)

/** A logo keeps its shape, and a tall one stays within the picture. */
export function logoBox({ corner, size, margin }: LogoLook, picture: Size, logo: Size): Box {
  // On a picture that is very wide, it leaves at least half of the height.
  const gap = Math.min(Math.round((picture.width * margin) / 200), Math.floor(picture.height / 8)) * 2
  const most = { width: picture.width - 2 * gap, height: picture.height - 2 * gap }
  const scale = Math.min((picture.width * size) / 100 / logo.width, most.width / logo.width, most.height / logo.height)
  const width = Math.min(even(logo.width * scale), most.width)
  const height = Math.min(even(logo.height * scale), most.height)
  return {
    ...{ width, height },
    x: corner.endsWith('l') ? gap : picture.width - gap - width,
    y: corner.startsWith('t') ? gap : picture.height - gap - height,
  }
}

/** The band's height in sizes of the font: it has room above and below the letters. */
const BAND = 1.9
/** The gap on either side of the text, as a share of the picture's width. */
const SIDE_GAP = 0.04

export interface LowerThirdPlace {
  readonly band: Box
  /** The size of the font. */
  readonly fontSize: number
  /** On either side of the text. */
  readonly gap: number
  /** The line is too long for the size that was asked for. */
  readonly isSmaller: boolean
}

/** The whole line stands in the picture: a long one gets smaller letters. */
export function lowerThirdPlace({ size, margin }: LowerThirdLook, picture: Size, text: string): LowerThirdPlace {
  const gap = Math.round(picture.width * SIDE_GAP)
  const wanted = (Math.min(picture.width, picture.height) * size) / 100
  const fitting = (picture.width - 2 * gap) / Math.max(1, emsOf(text))
  const fontSize = Math.max(1, Math.floor(Math.min(wanted, fitting)))
  const height = Math.min(even(fontSize * BAND), picture.height)
  const below = Math.round((picture.height * margin) / 200) * 2
  const y = Math.max(0, Math.floor((picture.height - below - height) / 2) * 2)
  return { band: { x: 0, y, width: picture.width, height }, fontSize, gap, isSmaller: fitting < Math.floor(wanted) }
}

/** Letters that are wider than any other: three letters in one, long dashes, a whole sentence in Arabic, signs on clay. */
const WIDE: readonly (readonly [RegExp, number])[] = [
  [/\u{fdfd}/u, 14],
  [/\u{2e3b}|\p{Script=Cuneiform}/u, 4],
  [/[\u{1c4}-\u{1cc}\u{1f1}-\u{1f3}\u{2e3a}]|\p{Script=Myanmar}|\p{Script=Javanese}|\p{Script=Balinese}/u, 2.2],
  [/\p{Emoji_Presentation}|[\u{2100}-\u{33ff}]/u, 1.5],
]

/** At most, in widths of the font's size (DejaVu Sans Bold): a line is hardly ever wider than this. The server measures it besides. */
const emsOf = (text: string): number => [...text].reduce((sum, letter) => sum + emOf(letter), 0)

function emOf(letter: string): number {
  if (/[MWmw@%]/.test(letter)) return 1.11
  if (/[A-Z&#+=~<>^]/.test(letter)) return 0.86
  if (/[a-z\d$?_*"]/.test(letter)) return 0.72
  if (/[ -~]/.test(letter)) return 0.46
  return WIDE.find(([letters]) => letters.test(letter))?.[1] ?? 1.2
}
