import { execFile } from 'node:child_process'
import { stat } from 'node:fs/promises'
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
  /** The hash of its content: by it a packet is known again wherever it was sent. */
  hash: string
}

/** Compares what a server recorded of an endless loop with the file that was looped. */
export async function inspectLoops(recording: string, source: string): Promise<LoopReport> {
  const [sent, once] = [await packetsOf(recording), await packetsOf(source)]
  const pictures = sightingsOf(once.video, sent.video)
  const sounds = sightingsOf(once.audio, sent.audio)
  const distances = pictures
    .slice(0, sounds.length)
    .map((picture, loop) => (sounds[loop]?.shownMs ?? Number.NaN) - picture.shownMs)
  return {
    loops: sent.video.length / once.video.length,
    video: stepsOf(sent.video),
    audio: stepsOf(sent.audio),
    driftMs: Math.max(...distances) - Math.min(...distances),
  }
}

/** Every time that the first packet was sent of those that the file has once: a loop may leave some out, or add silence. */
function sightingsOf(once: Packet[], sent: Packet[]): Packet[] {
  const times = new Map<string, number>()
  for (const { hash } of once) times.set(hash, (times.get(hash) ?? 0) + 1)
  const mark = once.find(({ hash }) => times.get(hash) === 1)
  if (!mark) throw new Error('no packet can be told from the others')
  return sent.filter(({ hash }) => hash === mark.hash)
}

type Packets = Readonly<{ video: Packet[]; audio: Packet[] }>

const MOST_KNOWN = 32
const known = new Map<string, Promise<Packets>>()

/**
 * The packets of what a broadcast sends: the first picture that is no cover, and the first sound. A file that has not changed since is
 * not read again: to start ffprobe takes longer than to read a clip, and tests ask several things about each.
 */
export async function packetsOf(file: string): Promise<Packets> {
  const { dev, ino, size, mtimeNs } = await stat(file, { bigint: true })
  const key = [file, dev, ino, size, mtimeNs].join(' ')
  const found = known.get(key) ?? readPackets(file)
  known.delete(key)
  known.set(key, found)
  if (known.size > MOST_KNOWN) known.delete(known.keys().next().value ?? '')
  return found
}

async function readPackets(file: string): Promise<Packets> {
  const { streams, packets } = await probed(file)
  const indexOf = (type: string) =>
    streams.find(({ codec_type, disposition }) => codec_type === type && disposition?.attached_pic !== 1)?.index
  const of = (type: string) =>
    packets
      .filter(({ stream_index }) => stream_index === indexOf(type))
      .map(({ pts_time, dts_time, data_hash }) => ({
        shownMs: milliseconds(pts_time),
        decodedMs: milliseconds(dts_time),
        hash: data_hash,
      }))
  const [video, audio] = [of('video'), of('audio')]
  // Without packets every step would be small.
  if (video.length < 2 || audio.length < 2)
    throw new Error(`${file} lacks its ${audio.length < 2 ? 'sound' : 'picture'}`)
  return { video, audio }
}

interface Probed {
  readonly streams: { index: number; codec_type: string; disposition?: { attached_pic: number } }[]
  readonly packets: { stream_index: number; pts_time: string; dts_time: string; data_hash: string }[]
}

async function probed(file: string): Promise<Probed> {
  const { FFPROBE_PATH = '' } = process.env
  const entries =
    'stream=index,codec_type:stream_disposition=attached_pic:packet=stream_index,pts_time,dts_time,data_hash'
  const args = ['-v', 'error', '-show_data_hash', 'crc32', '-show_entries', entries, '-of', 'json=compact=1', file]
  const { stdout } = await promisify(execFile)(FFPROBE_PATH || 'ffprobe', args, { maxBuffer: 64 * 1024 * 1024 })
  return JSON.parse(stdout) as Probed
}

const milliseconds = (seconds: string): number => Math.round(Number.parseFloat(seconds) * 1000)

function stepsOf(packets: Packet[]): Steps {
  const steps = packets.slice(1).map((packet, i) => packet.decodedMs - (packets[i]?.decodedMs ?? Number.NaN))
  return { smallestMs: Math.min(...steps), largestMs: Math.max(...steps) }
}
