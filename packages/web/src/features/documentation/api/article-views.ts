import type { ArticleSlug, ArticleViewsAnswer } from '@siarin/contracts/articles'
import { queryOptions } from '@tanstack/react-query'
import { http } from '../../../lib/http.ts'

export const articleViewsQuery = () =>
  queryOptions({
    queryKey: ['article-views'],
    queryFn: async ({ signal }) => (await http.get<ArticleViewsAnswer>('/articles/views', { signal })).data.data,
  })

/** The server counts each reader once, however often this is called. */
export const countView = (slug: ArticleSlug): Promise<unknown> => http.post(`/articles/${slug}/views`)
