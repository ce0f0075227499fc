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
  const { streams, packets } = await probe(file)
  const of = (stream: ProbedStream | undefined): Packet[] =>
    packets
      .filter(({ stream_index }) => stream_index === stream?.index)
      .map(({ pts_time, dts_time }) => ({ shownMs: milliseconds(pts_time), decodedMs: milliseconds(dts_time) }))
  const video = of(streams.find((one) => one.codec_type === 'video' && one.disposition.attached_pic === 0))
  const audio = of(streams.find((one) => one.codec_type === 'audio'))
  // Of nothing every step would be small.
  if (video.length < 2 || audio.length < 2)
    throw new Error(`${file} lacks its ${audio.length < 2 ? 'sound' : 'picture'}`)
  return { video, audio }
}

const milliseconds = (seconds: string | undefined): number => Math.round(Number.parseFloat(seconds ?? '') * 1000)

interface ProbedStream {
  index: number
  codec_type: string
  disposition: { attached_pic: number }
}

interface Probed {
  streams: ProbedStream[]
  packets: { stream_index: number; pts_time?: string; dts_time?: string }[]
}

/** Both streams by one run: to start ffprobe takes longer than to read a short file. */
async function probe(file: string): Promise<Probed> {
  const { FFPROBE_PATH = '' } = process.env
  const entries = 'stream=index,codec_type:stream_disposition=attached_pic:packet=stream_index,pts_time,dts_time'
  const args = ['-v', 'error', '-show_entries', entries, '-of', 'json=compact=1', file]
  const { stdout } = await promisify(execFile)(FFPROBE_PATH || 'ffprobe', args, { maxBuffer: 64 * 1024 * 1024 })
  return JSON.parse(stdout)
}

function stepsOf(packets: Packet[]): Steps {
  const steps = packets.slice(1).map((packet, i) => packet.decodedMs - (packets[i]?.decodedMs ?? Number.NaN))
  return { smallestMs: Math.min(...steps), largestMs: Math.max(...steps) }
}
