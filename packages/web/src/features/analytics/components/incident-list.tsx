import type { Incident } from '@siarin/contracts/analytics'
import { RefreshCw, TriangleAlert } from 'lucide-react'
import { useId, useState } from 'react'
import { Link } from 'react-router'
import { Button } from '../../../components/button.tsx'
import { Card } from '../../../components/card.tsx'
import { FactLine } from '../../../components/fact-line.tsx'
import { classes } from '../../../lib/classes.ts'
import { formatMoment, formatNumber } from '../../../lib/format.ts'
import { storyPath } from '../analytics-path.ts'
import { outcomeWords, targetWords, titleWords } from '../analytics-words.ts'

const SHOWN_AT_FIRST = 8

function IncidentRow({ incident }: { incident: Incident }) {
  const Icon = incident.planned ? RefreshCw : TriangleAlert
  return (
    <li className="flex items-start gap-3 px-4 py-3 sm:px-6" data-testid="incident">
      <Icon
        aria-hidden
        size={18}
        strokeWidth={1.75}
        className={classes('mt-0.5 shrink-0', incident.planned ? 'text-ink-soft' : 'text-warn-ink')}
      />
      <div className="min-w-0 flex-1">
        <p className="text-sm break-words text-pretty">{incident.reason}</p>
        <FactLine
          facts={[
            formatMoment(incident.startedAt),
            outcomeWords(incident),
            targetWords(incident),
            ...(incident.planned ? ['terencana'] : []),
          ]}
        />
        <Link
          to={storyPath(incident.broadcastId)}
          className="mt-0.5 inline-flex min-h-6 max-w-full items-center text-xs font-semibold text-accent-ink underline"
        >
          <bdi className="truncate">{titleWords(incident.title)}</bdi>
        </Link>
      </div>
    </li>
  )
}

interface IncidentListProps {
  incidents: readonly Incident[]
  /** There were more than are listed. */
  more: boolean
}

export function IncidentList({ incidents, more }: IncidentListProps) {
  const headingId = useId()
  const [all, setAll] = useState(false)
  const shown = all ? incidents : incidents.slice(0, SHOWN_AT_FIRST)
  return (
    <Card aria-labelledby={headingId}>
      <h2 id={headingId} className="px-4 pt-4 pb-2 text-base font-bold sm:px-6 sm:pt-6">
        Daftar gangguan
      </h2>
      {incidents.length === 0 ? (
        <p className="px-4 pb-5 text-sm text-ink-soft sm:px-6 sm:pb-6">Tidak ada gangguan pada rentang ini.</p>
      ) : (
        <ul aria-labelledby={headingId} className="divide-y divide-line">
          {shown.map((incident) => (
            <IncidentRow key={incident.incidentId} incident={incident} />
          ))}
        </ul>
      )}
      {incidents.length > SHOWN_AT_FIRST && (
        <div className="border-t border-line p-2 text-center">
          <Button look="quiet" size="small" aria-expanded={all} onClick={() => setAll(!all)}>
            {all ? 'Tampilkan sedikit' : `Tampilkan semua (${formatNumber(incidents.length)})`}
          </Button>
        </div>
      )}
      {more && all && (
        <p className="border-t border-line px-4 py-3 text-xs text-ink-soft sm:px-6">
          Hanya yang terbaru yang ditampilkan. Pilih rentang yang lebih pendek untuk melihat yang lain.
        </p>
      )}
    </Card>
  )
}
