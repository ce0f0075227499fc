import type { PlaylistNow } from '@siarin/contracts/playlists'
import { useState } from 'react'
import { useNow } from '../../lib/use-now.ts'
import { type Anchor, nextAnchor, positionWords } from './playlist-position.ts'

/** Where a playlist is, each second; it stands still while the broadcast is off air. */
export function usePlaylistPosition(playlist: PlaylistNow, isLive: boolean): { item: string; round: string } {
  const now = useNow()
  const [anchor, setAnchor] = useState<Anchor | null>(null)
  const told = isLive ? nextAnchor(anchor, playlist, now) : null
  // While it is drawn, so that no old clock is ever seen.
  if (told !== anchor) setAnchor(told)
  const aheadMs = told ? told.positionMs + (now - told.atMs) - playlist.positionMs : 0
  return positionWords(playlist, aheadMs)
}
