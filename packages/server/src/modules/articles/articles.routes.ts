import { Answer } from '@siarin/contracts/answers'
import { ArticleSlug, ArticleViewsAnswer } from '@siarin/contracts/articles'
import { z } from 'zod'
import { addressKey } from '../../http/address-key.ts'
import { createAllowance, VIEW_LIMIT } from '../../http/rate-limits.ts'
import type { App } from '../../http/types.ts'
import type { ArticlesRepo } from './articles.repo.ts'

const bySlug = z.object({ slug: ArticleSlug })

/** Open to everyone, as the articles are. Only the page calls them, so the described API leaves them out. */
export const articlesRoutes = (repo: ArticlesRepo) =>
  async function routes(app: App): Promise<void> {
    const oncePerReader = createAllowance(
      app,
      'article-view',
      VIEW_LIMIT,
      // By the article and not by the address of the call, which anybody can make another by a query.
      (request) => `${addressKey(request.ip)} ${(request.params as z.infer<typeof bySlug>).slug}`,
    )

    app.get(
      '/articles/views',
      {
        schema: { hide: true, response: { 200: ArticleViewsAnswer } },
      },
      async () => ({ success: true, message: 'Jumlah pembaca tiap artikel.', data: await repo.views() }),
    )

    app.post(
      '/articles/:slug/views',
      {
        schema: { hide: true, params: bySlug, response: { 200: Answer } },
      },
      async (request) => {
        // Who reloads the page is no second reader; they need not know that they were not counted.
        const { allowed } = await oncePerReader(request)
        if (allowed) await repo.countView(request.params.slug)
        return { success: true, message: 'Selamat membaca.' }
      },
    )
  }
