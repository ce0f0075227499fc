export interface Progress {
  frame: number
  fps: number
  bitrateKbps: number | null
  totalBytes: number | null
  outTimeMs: number | null
  speed: number | null
  ended: boolean
}

/**
 * The newest whole block of a `-progress` file. A block counts only once its closing `progress=` line has arrived, and
 * only when its opening `frame=` line is still there: the text may be a tail that begins or ends anywhere.
 */
export function parseProgress(text: string): Progress | null {
  // The file is emptied now and then while ffmpeg goes on writing at its old position: what lies before reads as NULs.
  const written = text.slice(text.lastIndexOf('\0') + 1)
  const newest = lastClosing(written, written.length)
  if (!newest) return null
  const block = written.slice(lastClosing(written, newest.start)?.end ?? 0, newest.start)
  return readBlock(block, newest.ended)
}

/** The newest size of the output that a `-progress` text tells; null: none. Where there is no picture, its blocks begin otherwise. */
export function writtenBytes(text: string): number | null {
  const start = text.lastIndexOf('\ntotal_size=', text.lastIndexOf('\n') - 1)
  const [, bytes] = /^\ntotal_size=(\d+)\n/.exec(text.slice(start)) ?? []
  return bytes === undefined ? null : Number(bytes)
}

const CLOSING_LINE = /progress=(continue|end)\r?\n/y

/** The last closing line that begins before a place. Looked for from the end: a tail holds many blocks, and one is wanted. */
function lastClosing(text: string, before: number): { start: number; end: number; ended: boolean } | null {
  for (let start = before - 1; start >= 0; start--) {
    start = text.lastIndexOf('progress=', start)
    if (start === -1) return null
    CLOSING_LINE.lastIndex = start
    const line = (start === 0 || text[start - 1] === '\n') && CLOSING_LINE.exec(text)
    if (line) return { start, end: CLOSING_LINE.lastIndex, ended: line[1] === 'end' }
  }
  return null
}

function readBlock(text: string, ended: boolean): Progress | null {
  // What stands before the opening line is the rest of a block whose own end was cut away.
  const opening = text.startsWith('frame=') ? 0 : text.indexOf('\nframe=') + 1
  const values = new Map<string, string>()
  for (const line of text.slice(opening).split('\n')) {
    const equals = line.indexOf('=')
    if (equals === -1) continue
    const key = line.slice(0, equals)
    // A key twice: two blocks ran into each other, and nothing tells which value belongs to which.
    if (values.has(key)) return null
    values.set(key, line.slice(equals + 1).trim())
  }
  const frame = number(values.get('frame'))
  const fps = number(values.get('fps'))
  if (frame === null || fps === null) return null
  // `out_time_ms` holds microseconds too, by an old mistake that ffmpeg keeps for compatibility.
  const outTimeMicroseconds = number(values.get('out_time_us'))
  return {
    frame,
    fps,
    bitrateKbps: number(values.get('bitrate'), 'kbits/s'),
    totalBytes: number(values.get('total_size')),
    outTimeMs: outTimeMicroseconds === null ? null : Math.round(outTimeMicroseconds / 1000),
    speed: number(values.get('speed'), 'x'),
    ended,
  }
}

function number(text: string | undefined, unit = ''): number | null {
  if (text === undefined || !text.endsWith(unit)) return null
  const digits = text.slice(0, text.length - unit.length)
  return /^-?\d+(\.\d+)?(e[+-]\d+)?$/.test(digits) ? Number(digits) : null
}
