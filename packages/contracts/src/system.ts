import { z } from 'zod'
import { Answer } from './answers.ts'

/** How often the screen asks, and how often the machine is looked at. */
export const STATUS_POLL_MS = 5000

const Percent = z.number().min(0).max(100)
const Bytes = z.number().int()

export const SystemStatusAnswer = Answer.extend({
  cpu: z.object({ usage: Percent }),
  memory: z.object({ total: Bytes, used: Bytes, usage: Percent }),
  /** The disk that holds the data folder, counted as df counts: `usage` is of what can be used at all, `used` + `available`. */
  disk: z.object({
    size: Bytes,
    used: Bytes,
    available: Bytes,
    usage: Percent,
    type: z.string(),
    filesystem: z.string(),
  }),
  /**
   * Where there are several machines: how many are heard of, and how many fell silent within the last ten minutes. CPU is then their average,
   * memory that of all together, and the disk that of the fullest.
   */
  machines: z.object({ total: z.number().int(), gone: z.number().int() }).optional(),
  /** The last minutes in percent, oldest first, the newest being now. */
  history: z.object({
    everySeconds: z.number(),
    cpu: z.array(Percent),
    memory: z.array(Percent),
    disk: z.array(Percent),
  }),
})
export type SystemStatusAnswer = z.infer<typeof SystemStatusAnswer>
