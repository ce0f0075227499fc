import { z } from 'zod'

/** Every answer carries these two; errors add a stable `code` and the id under which the log has the request. */
export const Answer = z.object({ success: z.boolean(), message: z.string() })

export const ErrorAnswer = Answer.extend({
  success: z.literal(false),
  code: z.string(),
  /** Which of its reasons, where one `code` has several: `disk-full` of `storage_full`, where no plan helps. */
  reasonCode: z.string().optional(),
  requestId: z.string().optional(),
})
export type ErrorAnswer = z.infer<typeof ErrorAnswer>
