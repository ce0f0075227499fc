import { PLATFORM_FACTS, PLATFORMS, type Platform } from '@siarin/contracts/platforms'
import { classes } from '../lib/classes.ts'

/** Drawn by us, in one colour, always beside the platform's name. */
const SHAPES: Record<Platform, string> = {
  facebook:
    'M13.5 21v-7.5h2.6l.5-3.2h-3.1V8.4c0-1 .4-1.7 1.8-1.7h1.5V3.9c-.4-.1-1.3-.2-2.3-.2-2.6 0-4.2 1.5-4.2 4.3v2.3H7.5v3.2h2.8V21z',
  tiktok:
    'M13 3h3c.2 2.2 1.6 3.7 4 4v3c-1.500 0-2.900-.5-4-1.300V15.500a5.500 5.500 0 1 1-5.500-5.500l.5.02V13.100a2.500 2.500 0 1 0 2 2.400z',
  youtube:
    'M4.500 5.500h15a2.500 2.500 0 0 1 2.500 2.500v8a2.500 2.500 0 0 1-2.500 2.500h-15A2.500 2.500 0 0 1 2 16V8a2.500 2.500 0 0 1 2.500-2.500zM10 8.700v6.600l5.700-3.300z',
  lain: 'M12 10.500a1.500 1.500 0 1 1 0 3 1.500 1.500 0 0 1 0-3zM7.800 7.800l1.400 1.400a4 4 0 0 0 0 5.600l-1.400 1.400a6 6 0 0 1 0-8.400zm8.400 0a6 6 0 0 1 0 8.400l-1.400-1.400a4 4 0 0 0 0-5.600zM5 5l1.400 1.400a8 8 0 0 0 0 11.200L5 19A10 10 0 0 1 5 5zm14 0a10 10 0 0 1 0 14l-1.400-1.400a8 8 0 0 0 0-11.200z',
}

const isPlatform = (value: string | undefined): value is Platform => PLATFORMS.some((platform) => platform === value)

export function PlatformMark({ platform, className = 'size-4' }: { platform: Platform; className?: string }) {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 24 24"
      className={classes('shrink-0', className)}
      fill="currentColor"
      fillRule="evenodd"
    >
      <path d={SHAPES[platform]} />
    </svg>
  )
}

export function PlatformBadge({ platform }: { platform: string | undefined }) {
  const known: Platform = isPlatform(platform) ? platform : 'lain'
  return (
    <span className="inline-flex items-center gap-1.5 text-xs font-semibold">
      <PlatformMark platform={known} />
      {isPlatform(platform) ? PLATFORM_FACTS[known].label : (platform ?? PLATFORM_FACTS.lain.label)}
    </span>
  )
}
