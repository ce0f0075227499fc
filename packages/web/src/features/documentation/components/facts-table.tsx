import type { ReactNode } from 'react'

interface FactsTableProps {
  /** What the table is about, for who cannot see it. */
  caption: string
  head: readonly string[]
  /** The first cell names the row. */
  rows: readonly (readonly ReactNode[])[]
}

/** On a phone its rows stand below each other, each cell with the name of its column where there are several. */
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
                <td key={column} data-column={head[column + 1]}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
