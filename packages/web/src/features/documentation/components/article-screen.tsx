import '../prose.css'
import { useQueryClient } from '@tanstack/react-query'
import { ArrowLeft, ArrowRight, Link as LinkIcon } from 'lucide-react'
import { useEffect } from 'react'
import { Link } from 'react-router'
import { formatCalendarDay } from '../../../lib/format.ts'
import { logError } from '../../../lib/log.ts'
import { articleViewsQuery, countView } from '../api/article-views.ts'
import { articlePath } from '../article-path.ts'
import type { Section } from '../articles/section.ts'
import { ARTICLES, type Article } from '../articles.ts'
import { FoldedContents, SideContents } from './table-of-contents.tsx'
import { ViewCount } from './view-count.tsx'

/** Opening an article is reading it; a count that fails is no concern of the reader. */
function useCountedView({ slug }: Article): void {
  const queryClient = useQueryClient()
  useEffect(() => {
    countView(slug)
      .then(() => queryClient.invalidateQueries({ queryKey: articleViewsQuery().queryKey }))
      .catch((error: unknown) => logError('The view could not be counted', error))
  }, [slug, queryClient])
}

function LinkedHeading({ id, title }: Section) {
  return (
    <h2 id={id}>
      <a href={`#${id}`} className="group/heading">
        {title}
        <LinkIcon
          aria-hidden
          size={18}
          strokeWidth={1.75}
          className="ml-2 inline align-baseline text-ink-soft opacity-0 transition-opacity group-hover/heading:opacity-100 group-focus-visible/heading:opacity-100"
        />
      </a>
    </h2>
  )
}

function NextArticle({ after }: { after: Article }) {
  const next = ARTICLES[(ARTICLES.indexOf(after) + 1) % ARTICLES.length]
  if (!next) return null
  return (
    <Link
      to={articlePath(next.slug)}
      className="group mt-16 flex items-center justify-between gap-6 rounded-card border border-line bg-card p-6 transition-colors hover:border-accent-line"
    >
      <span>
        <span className="block text-sm text-ink-soft">Baca berikutnya</span>
        <span className="mt-1 block text-lg font-bold">{next.title}</span>
      </span>
      <ArrowRight
        aria-hidden
        size={20}
        strokeWidth={1.75}
        className="shrink-0 text-accent-ink transition-transform group-hover:translate-x-1"
      />
    </Link>
  )
}

interface ArticleScreenProps {
  article: Article
  sections: readonly Section[]
}

export function ArticleScreen({ article, sections }: ArticleScreenProps) {
  useCountedView(article)
  return (
    <div className="mx-auto w-full max-w-page px-4 py-6 md:px-6 md:py-10 lg:grid lg:grid-cols-[minmax(0,1fr)_15rem] lg:gap-16">
      <article className="w-full max-w-[44rem] lg:justify-self-center">
        <header>
          <Link
            to="/documentation"
            className="-ml-1 inline-flex min-h-11 items-center gap-2 rounded-control px-1 text-sm font-semibold text-accent-ink hover:underline"
          >
            <ArrowLeft aria-hidden size={18} strokeWidth={1.75} />
            Documentation
          </Link>
          <h1 className="mt-3 text-xl font-bold md:text-2xl">{article.title}</h1>
          <p className="mt-4 max-w-[38rem] text-lg text-ink-soft">{article.excerpt}</p>
          <p className="mt-5 flex flex-wrap items-center gap-x-5 gap-y-1 border-b border-line pb-6 text-sm text-ink-soft">
            <span className="font-semibold text-ink">{article.category}</span>
            <time dateTime={article.date}>{formatCalendarDay(article.date)}</time>
            <ViewCount slug={article.slug} />
          </p>
          <FoldedContents sections={sections} />
        </header>
        <div className="prose">
          {sections.map((section) => (
            <section key={section.id} aria-labelledby={section.id}>
              <LinkedHeading {...section} />
              {section.body}
            </section>
          ))}
        </div>
        <NextArticle after={article} />
      </article>
      <aside className="max-lg:hidden">
        <SideContents sections={sections} />
      </aside>
    </div>
  )
}
