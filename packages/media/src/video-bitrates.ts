/** Between what Twitch allows at most and what YouTube and Facebook want at least; see the ingest table of each. */
const KBPS: readonly { readonly upToShortSide: number; readonly upTo30: number; readonly above30: number }[] = [
  { upToShortSide: 240, upTo30: 500, above30: 800 },
  { upToShortSide: 360, upTo30: 900, above30: 1_400 },
  { upToShortSide: 480, upTo30: 1_500, above30: 2_200 },
  { upToShortSide: 720, upTo30: 2_800, above30: 4_200 },
  { upToShortSide: 1080, upTo30: 4_500, above30: 6_000 },
  { upToShortSide: 1440, upTo30: 9_000, above30: 13_500 },
  { upToShortSide: Number.POSITIVE_INFINITY, upTo30: 18_000, above30: 27_000 },
]

export function videoKbps(shortSide: number, fps: number): number {
  const row = KBPS.find(({ upToShortSide }) => shortSide <= upToShortSide)
  if (row === undefined) throw new Error(`no bitrate for a side of ${shortSide}`)
  return fps > 30 ? row.above30 : row.upTo30
}
