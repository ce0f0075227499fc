import { FILENAME_MAX } from '@siarin/contracts/limits'

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed
const UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\ufffd]/gu
const FALLBACK = 'video'
/** More than any name that is kept. What a client sends may be a hundred times that, and composing takes the square of its marks. */
const MOST_UNITS = 2_000

/** The user's own name for the file, made safe to show: no path, no control characters, bounded. Paths on disk never use it. */
export function cleanFilename(filename: string): string {
  const last = filename.split(/[/\\]/).at(-1) ?? ''
  const name = last.slice(-MOST_UNITS).toWellFormed().normalize('NFC').replace(UNPRINTABLE, '').trim()
  if (/^\.*$/.test(name)) return FALLBACK
  const { stem, extension } = splitName(name)
  return cut(stem, FILENAME_MAX - [...extension].length) + extension
}

/**
 * 'klip.mp4', 'klip (1).mp4', 'klip (2).mp4' …: the one with this number. A user may have thousands of one name, so the stem is cut once for
 * each length of a number.
 */
export function numberedNames(name: string): (number: number) => string {
  const { stem, extension } = splitName(name)
  const stems = new Map<number, string>()
  return (number) => {
    if (number === 0) return name
    const suffix = ` (${number})${extension}`
    const known = stems.get(suffix.length)
    const short = known ?? cut(stem, FILENAME_MAX - [...suffix].length)
    if (known === undefined) stems.set(suffix.length, short)
    return short + suffix
  }
}

function splitName(name: string): { stem: string; extension: string } {
  const extension = /\.[\p{L}\p{N}]{1,10}$/u.exec(name)?.[0] ?? ''
  const stem = name.slice(0, name.length - extension.length)
  return stem === '' ? { stem: name, extension: '' } : { stem, extension }
}

/** By code points, so that no emoji is cut in half. */
const cut = (text: string, length: number): string => [...text].slice(0, length).join('')
