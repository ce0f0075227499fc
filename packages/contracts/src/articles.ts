import { z } from 'zod'
import { Answer } from './answers.ts'

/** The articles of the Documentation screen, in its order. What they say is the web app's; here is what is counted. */
export const ARTICLE_SLUGS = ['siaran-pertama', 'menyiapkan-video', 'kunci-dan-platform', 'api', 'webhook'] as const
export const ArticleSlug = z.enum(ARTICLE_SLUGS)
export type ArticleSlug = z.infer<typeof ArticleSlug>

export const ArticleViews = z.record(ArticleSlug, z.number().int())
export type ArticleViews = z.infer<typeof ArticleViews>

export const ArticleViewsAnswer = Answer.extend({ data: ArticleViews })
export type ArticleViewsAnswer = z.infer<typeof ArticleViewsAnswer>
