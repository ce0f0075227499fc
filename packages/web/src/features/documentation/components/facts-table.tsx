import type { ReactNode } from 'react'

interface FactsTableProps {
  /** What the table is about, for who cannot see it. */
  caption: string
  head: readonly string[]
  /** The first cell names the row. */
  rows: readonly (readonly ReactNode[])[]
}

/** Scrolls inside when a phone is too narrow for it. */
export function FactsTable({ caption, head, rows }: FactsTableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: without it a keyboard could not scroll a wide table
    <section className="facts-table" aria-label={caption} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {head.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, ...cells], row) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows of a text never move
            <tr key={row}>
              <th scope="row">{name}</th>
              {cells.map((cell, column) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: rows of a text never move
                <td key={column}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
