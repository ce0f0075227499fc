import type { StreamPhase } from '@siarin/contracts/streams'
import { Badge, type BadgeTone } from '../../components/badge.tsx'
import { PHASE_WORDS } from './stream-words.ts'

const TONES: Partial<Record<StreamPhase, BadgeTone>> = { live: 'on-air', waiting: 'warn' }

/** The source is away, and viewers see the video that stands in for it. */
export const StandInBadge = () => <Badge tone="warn">Cadangan tayang</Badge>

/** It goes on air by itself once its video is ready. */
export const AwaitsVideoBadge = () => <Badge tone="neutral">Menunggu video</Badge>

/** A stream's state in words; the lamp burns only while it is on air. */
export const StreamState = ({ phase }: { phase: StreamPhase }) => (
  <Badge tone={TONES[phase] ?? 'neutral'}>{PHASE_WORDS[phase]}</Badge>
)
