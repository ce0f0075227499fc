import type { Config } from '../config.ts'
import { BootError } from '../errors.ts'
import { askVersion } from '../platform/process/ffmpeg-check.ts'

interface Tool {
  readonly name: string
  readonly setting: string
  readonly path: string
  readonly check: () => Promise<unknown>
}

type ToolPaths = Pick<Config, 'ffmpegPath' | 'ffprobePath'>

export const toolsOf = ({ ffmpegPath, ffprobePath }: ToolPaths): Tool[] => [
  { name: 'ffmpeg', setting: 'FFMPEG_PATH', path: ffmpegPath, check: () => askVersion(ffmpegPath) },
  { name: 'ffprobe', setting: 'FFPROBE_PATH', path: ffprobePath, check: () => askVersion(ffprobePath) },
]

/** Without them nothing can be inspected or sent: better said now than at the first upload. */
export async function assertToolsRun(tools: readonly Tool[]): Promise<void> {
  const checks = await Promise.allSettled(tools.map(({ check }) => check()))
  const faults = tools.filter((_, index) => checks[index]?.status === 'rejected')
  if (faults.length > 0) throw new BootError(faults.map(({ setting, path }) => `${setting} ${path} cannot be run`))
}

/** Begins the checks whose outcome `assertToolsRun` waits for later: the tools load on another core while the program loads. */
export function beginToolChecks(paths: ToolPaths): void {
  for (const { check } of toolsOf(paths)) check().catch(() => {})
}
