import { PLATFORM_FACTS } from '@siarin/contracts/platforms'
import { PlatformMark } from '../../../components/platform-mark.tsx'
import { TallyLamp } from '../../../components/tally-lamp.tsx'
import type { Lamp, RoomTarget } from '../room-row.ts'

/** A row has room for so many. */
const SHOWN = 4

const LAMPS: Record<Lamp, string> = { live: '', trouble: 'bg-warn!', waiting: 'bg-line-strong', ended: 'bg-pressed!' }

const wordsOf = ({ name, platform, word }: RoomTarget): string => {
  const { label } = PLATFORM_FACTS[platform]
  return name === label ? `${label}: ${word}` : `${name} (${label}): ${word}`
}

/** A dot and the platform's mark for each target; what they mean is said to a person who cannot see them or points at them. */
export function TargetLamps({ targets }: { targets: readonly RoomTarget[] }) {
  const shown = targets.length > SHOWN ? targets.slice(0, SHOWN - 1) : targets
  const hidden = targets.slice(shown.length)
  return (
    <ul aria-label="Tujuan" className="flex min-w-0 items-center gap-1.5">
      {shown.map((target) => (
        <li
          key={target.streamId}
          title={wordsOf(target)}
          className="flex h-7 shrink-0 items-center gap-1.5 rounded-full bg-raised px-2 text-ink-soft"
        >
          <TallyLamp lit={target.lamp === 'live'} className={LAMPS[target.lamp]} />
          <PlatformMark platform={target.platform} />
          <span className="sr-only">{wordsOf(target)}</span>
        </li>
      ))}
      {hidden.length > 0 && (
        <li
          title={hidden.map(wordsOf).join('\n')}
          className="flex h-7 shrink-0 items-center rounded-full bg-raised px-2 text-xs font-semibold text-ink-soft tabular-nums"
        >
          <span aria-hidden>+{hidden.length}</span>
          <span className="sr-only">{hidden.map(wordsOf).join(', ')}</span>
        </li>
      )}
    </ul>
  )
}
