import { z } from 'zod'
import { Answer } from './answers.ts'

export const ACTIVITY_TEXTS = {
  list: (count: number): string => `${count} aktivitas`,
  noted: 'Dicatat.',
  unknownKind: 'Aktivitas ini tidak dikenal.',
} as const

export const ActivityStatus = z.enum(['Berhasil', 'Gagal', 'Pending'])
export type ActivityStatus = z.infer<typeof ActivityStatus>

export const ActivityEntry = z.object({
  id: z.string(),
  kind: z.string(),
  /** What happened, in words for the person. */
  text: z.string(),
  /** To what it happened: a title, a name. */
  detail: z.string().nullable(),
  status: ActivityStatus,
  at: z.iso.datetime(),
  /** The browser's own description of itself, and the address it came from, where somebody came. */
  device: z.string().nullable(),
  address: z.string().nullable(),
})
export type ActivityEntry = z.infer<typeof ActivityEntry>

export const ActivityListAnswer = Answer.extend({ data: z.array(ActivityEntry) })
export type ActivityListAnswer = z.infer<typeof ActivityListAnswer>

/** What only the page can know. */
export const ReportActivityBody = z.object({
  kind: z.enum(['viewed-live'], { error: ACTIVITY_TEXTS.unknownKind }),
})
export type ReportActivityBody = z.infer<typeof ReportActivityBody>
