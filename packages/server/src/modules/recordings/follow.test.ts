import { pino } from 'pino'
import { expect, it } from 'vitest'
import type { Db } from '../../platform/db/database.ts'
import { createFollow } from './follow.ts'
import type { Material } from './material.ts'
import type { RecordingRow, RecordingsRepo } from './recordings.repo.ts'
import type { Sent } from './sent.ts'

it('what is known of a recording that is being made is forgotten with it, whoever has ended it', async () => {
  const row = { id: 'r', broadcast_id: 'b', user_id: 'budi', online: 0, from_at: 0 } as RecordingRow
  let open = [row]
  const keptNow: string[] = []
  const follow = createFollow({
    db: {} as Db,
    repo: {
      open: async () => open,
      keepVideos: async ({ id }: RecordingRow) => void keptNow.push(id),
    } as unknown as RecordingsRepo,
    sent: (() => ({
      broadcastOf: async () => ({ endedAt: null }),
      streamsOf: async () => [],
    })) as unknown as Sent,
    material: { summaryOf: async () => ({ videoIds: new Set(['v']) }) } as unknown as Material,
    lines: { forget: () => {} },
    daysOf: async () => ({ days: 1 }),
    trust: async () => ({ now: 1, isSure: true, isTrusted: true, stepsBack: 0 }),
    log: pino({ level: 'silent' }),
    maxMs: 1_000,
  })
  for (let round = 0; round < 2; round++) await follow.all()
  expect(keptNow).toEqual(['r'])
  open = []
  await follow.all()
  open = [row]
  await follow.all()
  expect(keptNow).toEqual(['r', 'r'])
})
