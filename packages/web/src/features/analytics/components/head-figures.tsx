import { Link } from 'react-router'
import { Card } from '../../../components/card.tsx'
import { Loading, Skeleton } from '../../../components/skeleton.tsx'
import { storyPath } from '../analytics-path.ts'
import type { Figure } from '../analytics-words.ts'

const GRID = 'grid grid-cols-2 gap-3 sm:gap-4 lg:grid-cols-4'
const PLACES = ['one', 'two', 'three', 'four'] as const

function Tile({ name, figure, detail, broadcastId }: Figure) {
  return (
    <Card className="grid min-w-0 content-start gap-1 p-4 sm:p-5" aria-label={name}>
      <h3 className="text-xs font-semibold text-ink-soft sm:text-sm">{name}</h3>
      <p className="text-lg font-bold text-balance tabular-nums sm:text-xl">{figure}</p>
      {broadcastId === null ? (
        <p className="min-h-5 text-xs text-pretty text-ink-soft tabular-nums sm:text-sm">{detail}</p>
      ) : (
        <Link
          to={storyPath(broadcastId)}
          dir="auto"
          title={detail}
          className="block min-h-6 truncate text-left text-xs leading-6 font-semibold text-accent-ink underline sm:text-sm sm:leading-6"
        >
          {detail}
        </Link>
      )}
    </Card>
  )
}

/** Numbers first. */
export function HeadFigures({ figures }: { figures: readonly Figure[] | undefined }) {
  if (!figures) {
    return (
      <Loading className={GRID}>
        {PLACES.map((place) => (
          <Skeleton key={place} className="h-27 rounded-card! sm:h-31" />
        ))}
      </Loading>
    )
  }
  return (
    <div className={GRID}>
      {figures.map((figure) => (
        <Tile key={figure.name} {...figure} />
      ))}
    </div>
  )
}
