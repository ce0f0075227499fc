import { ARTICLE_SLUGS, type ArticleSlug, type ArticleViews } from '@siarin/contracts/articles'
import type { Db } from '../../platform/db/database.ts'

export type ArticlesRepo = ReturnType<typeof createArticlesRepo>

export function createArticlesRepo(db: Db) {
  return {
    async countView(slug: ArticleSlug): Promise<void> {
      await db
        .insertInto('article_views')
        .values({ slug, views: 1 })
        .onConflict((conflict) =>
          conflict.column('slug').doUpdateSet((eb) => ({ views: eb('article_views.views', '+', 1) })),
        )
        .execute()
    },
    /** Every article has a number; nobody has read it yet: zero. */
    async views(): Promise<ArticleViews> {
      const rows = await db.selectFrom('article_views').selectAll().execute()
      const counted = new Map(rows.map(({ slug, views }) => [slug, views]))
      return Object.fromEntries(ARTICLE_SLUGS.map((slug) => [slug, counted.get(slug) ?? 0])) as ArticleViews
    },
  }
}
