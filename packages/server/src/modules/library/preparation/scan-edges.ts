import { edgeProbeArgs } from '@siarin/media/argv/probe'
import { rateOf } from '@siarin/media/frame-rate'
import { type LoopPlan, loopPlan } from '@siarin/media/loop-plan'
import { edgeScan, type LoopEdges } from '@siarin/media/parse/edges'
import { keyframeScan } from '@siarin/media/parse/keyframes'
import type { Probe } from '@siarin/media/parse/probe'
import { type PacketScan, readPackets, type ScanLimits, scanPackets } from './scan-packets.ts'

interface Scanned {
  readonly scanned: PacketScan
  /** Null: they cannot be read, or not in time. */
  readonly edges: LoopEdges | null
}

/** Starting ffprobe takes as long as writing out the sound of some minutes. */
const READ_AT_ONCE_SECONDS = 120

/** The packets of the picture, and the edges of both. Of a long file whose header counts the sound only the edges of that are read. */
export async function scanWithEdges(
  ffprobePath: string,
  path: string,
  probe: Probe,
  limits: ScanLimits,
): Promise<Scanned> {
  const { durationSeconds } = probe
  const of = indexesOf(probe)
  if (of && (readsAll(probe) || (durationSeconds ?? 0) <= READ_AT_ONCE_SECONDS)) {
    return scanAtOnce(ffprobePath, path, of, limits)
  }
  const [scanned, edges] = await Promise.all([
    scanPackets(ffprobePath, path, limits),
    scanEdges(ffprobePath, path, probe, limits),
  ])
  return { scanned, edges }
}

interface Indexes {
  readonly picture: number
  readonly sound: number
}

const indexesOf = ({ video, audio }: Probe): Indexes | null =>
  video?.index == null || audio?.index == null ? null : { picture: video.index, sound: audio.index }

/** Without a count of its sound, or an end, the edges cannot be told from the rest. */
const readsAll = ({ audio, durationSeconds }: Probe): boolean => audio?.packets == null || durationSeconds === null

/** Null: they cannot be read, or not in time. Where the header tells how many packets of sound there are, only the edges are read. */
export async function scanEdges(
  ffprobePath: string,
  path: string,
  probe: Probe,
  limits: ScanLimits,
): Promise<LoopEdges | null> {
  const of = indexesOf(probe)
  if (!of) return null
  const end = readsAll(probe) ? null : (probe.durationSeconds ?? 0) + (probe.startSeconds ?? 0)
  const scan = edgeScan(of.picture, of.sound)
  let packets = 0
  const { isWhole } = await readPackets(ffprobePath, path, edgeProbeArgs(path, end), limits, (line) => {
    scan.line(line)
    return ++packets
  })
  return isWhole ? scan.edges() : null
}

async function scanAtOnce(
  ffprobePath: string,
  path: string,
  { picture, sound }: Indexes,
  limits: ScanLimits,
): Promise<Scanned> {
  const [edges, keyframes] = [edgeScan(picture, sound), keyframeScan()]
  const ofPicture = `${picture},`
  const packets = { picture: 0, others: 0 }
  const { isWhole, gaveUp } = await readPackets(ffprobePath, path, edgeProbeArgs(path, null), limits, (line) => {
    edges.line(line)
    if (!line.startsWith(ofPicture)) return ++packets.others
    keyframes.line(line.slice(ofPicture.length))
    return ++packets.picture
  })
  return {
    scanned: { keyframes: isWhole ? keyframes.facts() : null, packets: packets.picture, gaveUp },
    edges: isWhole ? edges.edges() : null,
  }
}

/** How a file whose picture is right can be looped. */
export function planOf({ formatName, video, audio, startSeconds }: Probe, edges: LoopEdges | null): LoopPlan {
  const fps = rateOf(video?.avgFrameRate ?? null)
  if (edges === null || !audio?.sampleRate || !fps) return { kind: 'encode-sound' }
  return loopPlan({
    edges,
    fps,
    sampleRate: audio.sampleRate,
    soundPackets: audio.packets ?? edges.soundPackets,
    startSeconds: startSeconds ?? 0,
    mustCopy: !(formatName ?? '').split(',').includes('mp4'),
  })
}
