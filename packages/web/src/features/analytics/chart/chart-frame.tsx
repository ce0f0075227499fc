import { ChartLine, Table2 } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { Card, CardHeading } from '../../../components/card.tsx'

export interface TableRow {
  readonly key: string
  readonly cells: readonly string[]
}

interface ChartFrameProps {
  title: string
  lead?: ReactNode
  /** What the columns of the table are. */
  columns: readonly string[]
  rows: readonly TableRow[]
  children: ReactNode
}

const MOST_HIGH = 'max-h-80 overflow-auto'

function Table({ title, columns, rows }: Pick<ChartFrameProps, 'title' | 'columns' | 'rows'>) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard
    <section aria-label={`Tabel: ${title}`} tabIndex={0} className={`${MOST_HIGH} rounded-control border border-line`}>
      <table className="w-full border-collapse text-sm tabular-nums">
        <caption className="sr-only">{title}</caption>
        <thead className="sticky top-0 bg-raised text-xs text-ink-soft">
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col" className="px-3 py-2 text-left font-semibold whitespace-nowrap">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, cells: [first, ...rest] }) => (
            <tr key={key} className="border-t border-line">
              <th scope="row" className="px-3 py-2 text-left font-normal whitespace-nowrap">
                {first}
              </th>
              {rest.map((cell, index) => (
                <td key={columns[index + 1]} className="px-3 py-2">
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

/** A card with a chart, and the same as a table for who cannot see it or wants the figures. */
export function ChartFrame({ title, lead, columns, rows, children }: ChartFrameProps) {
  const [asTable, setAsTable] = useState(false)
  const id = useId()
  const Icon = asTable ? ChartLine : Table2
  return (
    <Card className="p-4 sm:p-6">
      <CardHeading
        title={title}
        lead={lead}
        action={
          <Button
            look="quiet"
            size="small"
            aria-controls={id}
            className="-my-1.5 -mr-2 max-sm:-ml-3"
            onClick={() => setAsTable(!asTable)}
          >
            <Icon aria-hidden size={16} strokeWidth={1.75} />
            {asTable ? 'Lihat sebagai grafik' : 'Lihat sebagai tabel'}
          </Button>
        }
      />
      <div id={id} className="mt-4">
        {asTable ? <Table title={title} columns={columns} rows={rows} /> : children}
      </div>
    </Card>
  )
}
