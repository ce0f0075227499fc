import type { ArticleSlug } from '@siarin/contracts/articles'

export const articlePath = (slug: ArticleSlug): string => `/documentation/${slug}`
