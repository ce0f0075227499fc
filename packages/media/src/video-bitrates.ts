import { rateOf } from './frame-rate.ts'
import type { VideoFacts } from './parse/probe.ts'

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

/** So many times the usual bitrate is about twice what YouTube asks for at most, which takes more than any other platform. */
const MOST_TIMES_USUAL = 6
/** For a small picture and for a huge one: the first does no harm, and nobody takes more of the second. */
const MOST_KBPS = { least: 16_000, most: 100_000 }

/** More than any platform takes of such a picture: sent as it is, it would only take the line from all other broadcasts. */
export function isTooDense({ width, height, avgFrameRate }: VideoFacts, bitsPerSecond: number): boolean {
  const usual = videoKbps(Math.min(width ?? 0, height ?? 0), rateOf(avgFrameRate) ?? Number.POSITIVE_INFINITY)
  const most = Math.min(MOST_KBPS.most, Math.max(MOST_KBPS.least, MOST_TIMES_USUAL * usual))
  return bitsPerSecond > 1000 * most
}
