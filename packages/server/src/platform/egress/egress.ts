import { createGuard, type EgressSettings, type Guard } from './guard.ts'
import { type Download, openDownload } from './guarded-download.ts'
import { createPost, type Post } from './guarded-post.ts'

export { EgressRefused, type EgressSettings, type RefusalReason } from './guard.ts'
export type { Download } from './guarded-download.ts'
export { PostFailed } from './guarded-post.ts'

/** Everything that reaches out to an address that a user chose goes through here. */
export interface Egress extends Guard {
  /** Fetches over http or https; every hop of a redirect is judged like the first address. */
  open(url: URL, options: { signal: AbortSignal; idleMs?: number; range?: string | undefined }): Promise<Download>
  /**
   * Resolves the names that sessions of broadcasts send to. It remembers them apart: a platform's name is asked for only when a session begins,
   * and the names that anybody types elsewhere would long have pushed it out.
   */
  readonly targets: Pick<Guard, 'resolve'>
  /** Sends over http or https; a redirect is an answer, and not followed. */
  post: Post
}

export function createEgress(settings: EgressSettings): Egress {
  const guard = createGuard(settings)
  return {
    ...guard,
    open: (url, options) => openDownload(url, { ...options, guard }),
    targets: createGuard(settings),
    post: createPost(guard),
  }
}
