import type { Db } from '../../platform/db/database.ts'
import { createArticlesRepo } from './articles.repo.ts'
import { articlesRoutes } from './articles.routes.ts'

export function createArticles({ db }: { db: Db }) {
  return { routes: () => articlesRoutes(createArticlesRepo(db)) }
}
