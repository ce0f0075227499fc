import type { ArticleSlug } from '@siarin/contracts/articles'
import { ArrowRight, Code, Film, KeyRound, type LucideIcon, Radio, Webhook } from 'lucide-react'
import { Link } from 'react-router'
import { Badge } from '../../../components/badge.tsx'
import { Page } from '../../../components/page.tsx'
import { formatCalendarDay } from '../../../lib/format.ts'
import { articlePath } from '../article-path.ts'
import { ARTICLES, type Article } from '../articles.ts'
import { ViewCount } from './view-count.tsx'

const ICONS: Record<ArticleSlug, LucideIcon> = {
  'siaran-pertama': Radio,
  'menyiapkan-video': Film,
  'kunci-dan-platform': KeyRound,
  api: Code,
  webhook: Webhook,
}

function ArticleCard({ article: { slug, title, excerpt, category, date } }: { article: Article }) {
  const Icon = ICONS[slug]
  return (
    <article className="group relative flex flex-col rounded-card border border-line bg-card p-6 transition-colors focus-within:border-accent-line hover:border-accent-line">
      <div className="flex items-center justify-between gap-4">
        <span className="grid size-11 place-items-center rounded-control bg-accent-wash text-accent-ink">
          <Icon aria-hidden size={20} strokeWidth={1.75} />
        </span>
        <Badge>{category}</Badge>
      </div>
      <h2 className="mt-5 text-lg font-bold">
        {/* The whole card is the link, the heading is its name. */}
        <Link to={articlePath(slug)} className="rounded-control after:absolute after:inset-0 after:rounded-card">
          {title}
        </Link>
      </h2>
      <p className="mt-2 flex-1 text-base text-ink-soft">{excerpt}</p>
      <p className="mt-6 flex flex-wrap items-center gap-x-5 gap-y-1 text-sm text-ink-soft">
        <time dateTime={date}>{formatCalendarDay(date)}</time>
        <ViewCount slug={slug} />
        <ArrowRight
          aria-hidden
          size={18}
          strokeWidth={1.75}
          className="ml-auto text-accent-ink transition-transform group-hover:translate-x-1"
        />
      </p>
    </article>
  )
}

export function DocumentationScreen() {
  return (
    <Page title="Documentation" lead="Bacaan pendek, dari siaran pertama sampai mengaturnya lewat API.">
      <div className="grid gap-4 md:grid-cols-2 md:gap-6">
        {ARTICLES.map((article) => (
          <ArticleCard key={article.slug} article={article} />
        ))}
      </div>
    </Page>
  )
}
