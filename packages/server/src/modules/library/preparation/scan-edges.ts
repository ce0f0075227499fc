import { stat } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { edgeProbeArgs } from '@siarin/media/argv/probe'
import { rateOf } from '@siarin/media/frame-rate'
import { type LoopPlan, loopPlan } from '@siarin/media/loop-plan'
import { edgeScan, type LoopEdges } from '@siarin/media/parse/edges'
import type { Probe } from '@siarin/media/parse/probe'
import { mostPackets, scanMs } from '@siarin/media/work-bounds'
import { readerMemoryBytes, startTool } from '../../../platform/process/limited-tool.ts'
import type { ScanLimits } from './scan-packets.ts'

/** Null: they cannot be read, or not in time. Where the header tells how many packets of sound there are, only the edges are read. */
export async function scanEdges(
  ffprobePath: string,
  path: string,
  { video, audio, durationSeconds, startSeconds }: Probe,
  { baseMs, signal }: ScanLimits,
): Promise<LoopEdges | null> {
  if (video?.index == null || audio?.index == null) return null
  const { size } = await stat(path)
  const end = audio.packets === null || durationSeconds === null ? null : durationSeconds + (startSeconds ?? 0)
  const { child, ended, kill } = startTool(ffprobePath, edgeProbeArgs(path, end), {
    memoryBytes: readerMemoryBytes(),
    timeoutMs: scanMs(size, baseMs),
    priority: 'low',
    signal,
  })
  const most = mostPackets(size)
  const scan = edgeScan(video.index, audio.index)
  let packets = 0
  createInterface({ input: child.stdout }).on('line', (line) => {
    scan.line(line)
    packets++
    if (packets > most) kill()
  })
  child.stderr.resume()
  const { code } = await ended
  return code === 0 ? scan.edges() : null
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
