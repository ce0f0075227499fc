import { formatBytes } from '@siarin/contracts/format'

/** What others have chosen (a title, a browser's name) must not steer the terminal, nor turn the rest of its line round. */
const UNSEEN = /\p{Cc}|\p{Cf}|\p{Zl}|\p{Zp}/gu

const cell = (text: string): string => text.replaceAll(UNSEEN, '?')

export function columns(rows: readonly (readonly string[])[]): string {
  const cells = rows.map((row) => row.map(cell))
  const widthOf = (column: number): number => cells.reduce((most, row) => Math.max(most, row[column]?.length ?? 0), 0)
  const widths = (cells[0] ?? []).map((_, column) => widthOf(column))
  return cells
    .map((row) =>
      row
        .map((text, index) => text.padEnd(widths[index] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** A table with a head, or a sentence where there is nothing. */
export const table = (head: readonly string[], rows: readonly (readonly string[])[], ifEmpty: string): string =>
  rows.length === 0 ? ifEmpty : columns([head, ...rows])

/** One document, with nothing in it that a terminal would take for a command. */
export const document = (json: object): string =>
  JSON.stringify(json, null, 2).replaceAll(
    /[\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

/** As the page has it, in the numbers of an English sentence. */
export const plainBytes = (sizeBytes: number): string => formatBytes(sizeBytes).replaceAll('.', '').replace(',', '.')
