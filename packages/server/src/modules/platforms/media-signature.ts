/** Enough for two packets of a transport stream. */
export const SIGNATURE_BYTES = 189

const TS_SYNC = 0x47
const TS_PACKET_BYTES = 188
/** Boxes that a part of an MP4 may begin with. */
const BOXES = new Set(['ftyp', 'styp', 'moov', 'moof', 'mdat', 'sidx', 'ssix', 'emsg', 'prft', 'free', 'skip', 'wide'])
/** What follows 0xFF in sound without a container: AAC (ADTS) and MP3. */
const SOUND_SYNCS = new Set([0xf0, 0xf1, 0xf8, 0xf9, 0xf2, 0xf3, 0xfa, 0xfb, 0xe2, 0xe3])
const STARTS = [
  Buffer.from('ID3'),
  // AC-3 and E-AC-3.
  Buffer.from([0x0b, 0x77]),
  // Matroska and WebM.
  Buffer.from([0x1a, 0x45, 0xdf, 0xa3]),
]
const CAPTIONS = /^\uFEFF?WEBVTT(?:[ \t\r\n]|$)/

/** Whether what begins so is picture, sound or captions. What its host calls it says nothing. */
export function isMedia(head: Buffer): boolean {
  if (head[0] === TS_SYNC) return head.length <= TS_PACKET_BYTES || head[TS_PACKET_BYTES] === TS_SYNC
  if (head[0] === 0xff) return SOUND_SYNCS.has(head[1] ?? 0)
  if (BOXES.has(head.toString('latin1', 4, 8))) return true
  return STARTS.some((start) => head.subarray(0, start.length).equals(start)) || CAPTIONS.test(head.toString('utf8'))
}
