import type { StandingState } from '@siarin/contracts/standing'
import { Badge, type BadgeTone } from '../../components/badge.tsx'

const STATES: Record<StandingState, { tone: BadgeTone; word: string }> = {
  active: { tone: 'accent', word: 'Aktif' },
  grace: { tone: 'warn', word: 'Masa tenggang' },
  ended: { tone: 'warn', word: 'Berakhir' },
  suspended: { tone: 'warn', word: 'Dihentikan' },
}

export function StateBadge({ state }: { state: StandingState }) {
  const { tone, word } = STATES[state]
  return <Badge tone={tone}>{word}</Badge>
}
