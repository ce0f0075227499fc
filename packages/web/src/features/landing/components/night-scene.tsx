import { TallyLamp } from '../../../components/tally-lamp.tsx'

const STARS = [
  [28, 58],
  [64, 40],
  [104, 62],
  [150, 30],
  [182, 66],
  [206, 26],
  [296, 72],
  [284, 22],
] as const

const WINDOWS = [
  [36, 116],
  [46, 116],
  [36, 128],
  [88, 124],
  [96, 134],
  [138, 104],
  [146, 114],
  [138, 124],
  [252, 120],
  [260, 130],
  [296, 134],
] as const

/** What the example broadcasts: a sleeping city. It is night in both themes. */
export function NightScene() {
  return (
    <div className="dark relative text-white">
      <svg aria-hidden="true" viewBox="0 0 320 180" className="block aspect-video w-full">
        <linearGradient id="night-sky" x2="0" y2="1">
          <stop className="[stop-color:var(--teal-1)]" />
          <stop offset="1" className="[stop-color:var(--teal-6)]" />
        </linearGradient>
        <rect width="320" height="180" fill="url(#night-sky)" />
        <path d="M248 34a22 22 0 1 0 22 31a18 18 0 0 1-22-31z" className="fill-[var(--teal-12)]" />
        {STARS.map(([x, y]) => (
          <circle key={`${x} ${y}`} cx={x} cy={y} r="1" className="fill-[var(--teal-11)]" />
        ))}
        <path
          d="M0 180V112h22V96h26v26h14V86h34v44h20v-24h30V88h18v52h22v-30h28V86h32v46h18v-28h30v20h26v56z"
          className="fill-[var(--teal-4)]"
        />
        <path
          d="M0 180v-44h30v-28h28v38h22v-32h24v24h24V94h24v52h34v-20h26v20h34v-36h22v30h22v-14h30v54z"
          className="fill-[var(--teal-2)]"
        />
        {WINDOWS.map(([x, y]) => (
          <rect key={`${x} ${y}`} x={x} y={y} width="4" height="5" className="fill-[var(--amber-11)]" />
        ))}
      </svg>
      <p className="absolute top-4 left-4 inline-flex items-center gap-2 rounded-full bg-black/60 px-3 py-1.5 text-xs font-semibold">
        <TallyLamp lit />
        TAYANG
      </p>
      <div className="absolute inset-x-0 bottom-0 flex items-center justify-between gap-4 bg-black/60 px-5 py-2.5">
        <p className="truncate text-sm font-semibold">kota-tengah-malam.mp4</p>
        <p className="shrink-0 text-xs text-white/80">diputar berulang</p>
      </div>
    </div>
  )
}
