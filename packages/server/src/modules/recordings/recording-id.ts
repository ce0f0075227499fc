import { createHash } from 'node:crypto'

/** The same for whoever asks: two programs that begin the same recording begin one. Like every id of ours it names a folder of the storage. */
export function recordingId(broadcastId: string, number: number): string {
  const hex = createHash('sha256').update(`recording ${broadcastId} ${number}`).digest('hex')
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `5${hex.slice(13, 16)}`, `a${hex.slice(17, 20)}`, hex.slice(20, 32)]
  return parts.join('-')
}
