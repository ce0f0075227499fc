import type { StreamPhase } from '@siarin/contracts/streams'
import { TallyLamp } from '../../../components/tally-lamp.tsx'
import { classes } from '../../../lib/classes.ts'

const WORDS: Record<StreamPhase, string> = {
  queued: 'Antre',
  starting: 'Memulai',
  live: 'Tayang',
  waiting: 'Menyambung ulang',
  stopping: 'Menghentikan',
  ended: 'Selesai',
}

const LOOKS: Partial<Record<StreamPhase, string>> = {
  live: 'bg-on-air-wash text-on-air-ink',
  waiting: 'bg-warn-wash text-warn-ink',
}

/** A stream's state in words; the lamp burns only while it is on air. */
export function StreamState({ phase }: { phase: StreamPhase }) {
  return (
    <span
      className={classes(
        'inline-flex items-center gap-1.5 rounded-full px-2.5 py-0.5 text-xs font-semibold',
        LOOKS[phase] ?? 'bg-raised text-ink-soft',
      )}
    >
      {phase === 'live' && <TallyLamp lit />}
      {WORDS[phase]}
    </span>
  )
}
