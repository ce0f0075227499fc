import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

interface Steps {
  /** From one decoding time to the next; below zero when time ran backward. */
  smallestMs: number
  largestMs: number
}

export interface LoopReport {
  loops: number
  video: Steps
  audio: Steps
  /** By how much the distance from picture to sound differs between any two loops. */
  driftMs: number
}

interface Packet {
  shownMs: number
  decodedMs: number
}

/** Compares what a server recorded of an endless loop with the file that was looped. */
export async function inspectLoops(recording: string, source: string): Promise<LoopReport> {
  const [sent, once] = [await packetsOf(recording), await packetsOf(source)]
  const perLoop = { video: once.video.length, audio: once.audio.length }
  const distances: number[] = []
  for (let loop = 0; ; loop++) {
    const picture = sent.video[loop * perLoop.video]
    const sound = sent.audio[loop * perLoop.audio]
    if (!picture || !sound) break
    distances.push(sound.shownMs - picture.shownMs)
  }
  return {
    loops: sent.video.length / perLoop.video,
    video: stepsOf(sent.video),
    audio: stepsOf(sent.audio),
    driftMs: Math.max(...distances) - Math.min(...distances),
  }
}

/** Of the streams that a broadcast sends: the first picture that is no cover, and the first sound. */
async function packetsOf(file: string): Promise<{ video: Packet[]; audio: Packet[] }> {
  const [video, audio] = await Promise.all([streamOf(file, 'V:0'), streamOf(file, 'a:0')])
  // Of nothing every step would be small.
  if (video.length < 2 || audio.length < 2)
    throw new Error(`${file} lacks its ${audio.length < 2 ? 'sound' : 'picture'}`)
  return { video, audio }
}

async function streamOf(file: string, stream: string): Promise<Packet[]> {
  const { FFPROBE_PATH = '' } = process.env
  const entries = ['-show_entries', 'packet=pts_time,dts_time', '-of', 'csv=p=0']
  const args = ['-v', 'error', '-select_streams', stream, ...entries, file]
  const { stdout } = await promisify(execFile)(FFPROBE_PATH || 'ffprobe', args, { maxBuffer: 64 * 1024 * 1024 })
  const lines = stdout.split('\n').filter((line) => line.trim() !== '')
  return lines.map((line) => {
    const [shown, decoded] = line.split(',').map((seconds) => Math.round(Number.parseFloat(seconds) * 1000))
    return { shownMs: shown ?? Number.NaN, decodedMs: decoded ?? Number.NaN }
  })
}

function stepsOf(packets: Packet[]): Steps {
  const steps = packets.slice(1).map((packet, i) => packet.decodedMs - (packets[i]?.decodedMs ?? Number.NaN))
  return { smallestMs: Math.min(...steps), largestMs: Math.max(...steps) }
}
