import { PLATFORM_FACTS, type Platform } from '@siarin/contracts/platforms'
import { useState } from 'react'
import { Badge } from '../../../components/badge.tsx'
import { PlatformMark } from '../../../components/platform-mark.tsx'
import { SPARK_POINTS } from '../../../components/spark-points.ts'
import { Sparkline } from '../../../components/sparkline.tsx'
import { formatBitrate, formatClock } from '../../../lib/format.ts'
import { useHydrated } from '../../../lib/use-hydrated.ts'
import { useReducedMotion } from '../../../lib/use-media.ts'
import { useNow } from '../../../lib/use-now.ts'
import { NightScene } from './night-scene.tsx'

/** The first has been on air for almost a fortnight when the page opens; the others join it. */
const TARGETS: readonly { platform: Platform; joinsAfterSeconds: number; onAirBefore: number }[] = [
  { platform: 'youtube', joinsAfterSeconds: 0, onAirBefore: 1_137_600 },
  { platform: 'facebook', joinsAfterSeconds: 2, onAirBefore: 0 },
  { platform: 'tiktok', joinsAfterSeconds: 4, onAirBefore: 0 },
]
/** Where it stands still for those who want no motion: all three on air. */
const STILL_SECONDS = 754

/** A line that looks measured: two waves that never meet in the same place, and a little noise. */
const bitrateAt = (second: number): number =>
  4300 + 420 * Math.sin(second / 6) + 300 * Math.sin(second / 1.7) + 3 * ((second * 7919) % 97)

function Facts({ seconds }: { seconds: number }) {
  const onAir = TARGETS.filter(({ joinsAfterSeconds }) => seconds >= joinsAfterSeconds).length
  const samples = Array.from({ length: SPARK_POINTS }, (_, index) => bitrateAt(seconds + index))
  const kbps = samples.at(-1) ?? 0
  return (
    <>
      <div className="flex items-center justify-between gap-4 border-b border-line px-5 py-4">
        <div>
          <p className="text-xs text-ink-soft">Total terkirim</p>
          <p className="mt-0.5 text-lg font-bold whitespace-nowrap tabular-nums">{formatBitrate(kbps * onAir)}</p>
        </div>
        <Sparkline samples={samples} top={5300} className="h-10 w-28 sm:w-52" />
      </div>
      <ul className="divide-y divide-line">
        {TARGETS.map(({ platform, joinsAfterSeconds, onAirBefore }) => {
          const since = seconds - joinsAfterSeconds
          return (
            <li key={platform} className="flex h-13 items-center gap-3 px-5">
              <PlatformMark platform={platform} className="size-5" />
              <span className="flex-1 text-sm font-semibold">{PLATFORM_FACTS[platform].label}</span>
              <span className="text-sm text-ink-soft tabular-nums">
                {since >= 0 && formatClock(onAirBefore + since)}
              </span>
              <span className="flex w-20 justify-end">
                {since >= 0 ? <Badge tone="on-air">Tayang</Badge> : <Badge>Antre</Badge>}
              </span>
            </li>
          )
        })}
      </ul>
    </>
  )
}

function RunningFacts() {
  const now = useNow()
  const [openedAt] = useState(now)
  return <Facts seconds={(now - openedAt) / 1000} />
}

/** The clock begins with the page's code: what the server sent stands at the first second until then. */
function Running() {
  return useHydrated() ? <RunningFacts /> : <Facts seconds={0} />
}

/** The product itself, drawn by code: a clock that runs, a line that moves, three platforms that turn on one after another. */
export function BroadcastCard() {
  const still = useReducedMotion()
  return (
    <div
      role="img"
      aria-label="Contoh: satu video yang sedang tayang di YouTube, Facebook, dan TikTok"
      data-testid="broadcast"
      className="w-full max-w-[29rem] overflow-hidden rounded-card border border-line bg-card shadow-soft"
    >
      <NightScene />
      {still ? <Facts seconds={STILL_SECONDS} /> : <Running />}
    </div>
  )
}
