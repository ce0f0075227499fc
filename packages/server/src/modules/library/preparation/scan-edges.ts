import { edgeProbeArgs } from '@siarin/media/argv/probe'
import { edgeScan, type LoopEdges } from '@siarin/media/parse/edges'
import { keyframeScan } from '@siarin/media/parse/keyframes'
import type { Probe } from '@siarin/media/parse/probe'
import { READ_AT_ONCE_SECONDS } from '../inspect-video.ts'
import { indexesOf, readsAll } from '../loop-plan-of.ts'
import { type PacketScan, readPackets, type ScanLimits, scanPackets } from './scan-packets.ts'

interface Scanned {
  readonly scanned: PacketScan
  /** Null: they cannot be read, or not in time. */
  readonly edges: LoopEdges | null
}

/** The packets of the picture, and the edges of both. In a long file whose header counts the sound, only the edges of that are read. */
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
  { picture, sound }: { readonly picture: number; readonly sound: number },
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
