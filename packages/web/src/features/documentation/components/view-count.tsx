import type { ArticleSlug } from '@siarin/contracts/articles'
import { useQuery } from '@tanstack/react-query'
import { Eye } from 'lucide-react'
import { formatNumber } from '../../../lib/format.ts'
import { articleViewsQuery } from '../api/article-views.ts'

/** How many have read an article; a dash while that is not known, so that nothing moves when it comes. */
export function ViewCount({ slug }: { slug: ArticleSlug }) {
  const views = useQuery(articleViewsQuery()).data?.[slug]
  return (
    <span className="inline-flex items-center gap-1.5 tabular-nums" data-testid="views">
      <Eye aria-hidden size={16} strokeWidth={1.75} />
      {views === undefined ? '–' : formatNumber(views)} kali dibaca
    </span>
  )
}
