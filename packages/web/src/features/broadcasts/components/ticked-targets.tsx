import { presetOf } from '@siarin/contracts/platform-presets'
import { PLATFORM_FACTS } from '@siarin/contracts/platforms'
import type { Target } from '@siarin/contracts/targets'
import { useQuery } from '@tanstack/react-query'
import { PlatformMark } from '../../../components/platform-mark.tsx'
import { activeStreamsQuery } from '../api/active-streams.ts'

/** Those that a broadcast goes to now, as far as the page knows without asking. */
function useTargetsOnAir(): ReadonlySet<string> {
  const { data } = useQuery({ ...activeStreamsQuery(), enabled: false })
  return new Set(data?.streams.flatMap(({ targetId }) => targetId ?? []))
}

const platformWords = ({ platform, preset }: Target): string =>
  (preset && presetOf(preset)?.name) || PLATFORM_FACTS[platform].label

interface TickedTargetsProps {
  targets: readonly Target[]
  ticked: readonly string[]
  onChange: (ticked: readonly string[]) => void
}

/** Stored targets, each with its box. One that is on air says so: the same key takes one broadcast at a time. */
export function TickedTargets({ targets, ticked, onChange }: TickedTargetsProps) {
  const onAir = useTargetsOnAir()
  const toggle = (id: string): void =>
    onChange(ticked.includes(id) ? ticked.filter((other) => other !== id) : [...ticked, id])
  return (
    <ul className="max-h-72 divide-y divide-line overflow-y-auto overscroll-contain rounded-control border border-line">
      {targets.map((target) => (
        <li key={target.id}>
          <label className="flex min-h-11 cursor-pointer items-center gap-3 px-3.5 py-2 text-sm hover:bg-raised">
            <input
              type="checkbox"
              className="size-5 shrink-0 accent-(--color-accent)"
              checked={ticked.includes(target.id)}
              onChange={() => toggle(target.id)}
            />
            <span className="grid min-w-0 flex-1">
              <bdi className="truncate font-semibold">{target.name}</bdi>{' '}
              <span className="flex min-w-0 items-center gap-1.5 text-xs text-ink-soft">
                <PlatformMark platform={target.platform} />
                <span className="truncate">{platformWords(target)}</span>
                {onAir.has(target.id) && <span className="shrink-0">· sedang dipakai</span>}
              </span>
            </span>
          </label>
        </li>
      ))}
    </ul>
  )
}
