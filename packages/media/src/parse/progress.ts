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
  let progress: Progress | null = null
  let start = 0
  for (const closing of written.matchAll(/^progress=(continue|end)\r?\n/gm)) {
    progress = readBlock(written.slice(start, closing.index), closing[1] === 'end')
    start = closing.index + closing[0].length
  }
  return progress
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
