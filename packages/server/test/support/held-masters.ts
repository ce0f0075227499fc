import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** An ffmpeg that makes the master of somebody's video only when it is told to; whatever else is asked of it, it does at once. */
export async function heldMasters(folder: string) {
  const script = `#!/bin/sh
case "$*" in
*work*master.mp4)
  go='${folder}'/go-$(echo "$*" | sed 's/.*work.[^~]*~\\([^~]*\\)~.*/\\1/')
  while [ ! -e "$go" ]; do sleep 0.05; done
  [ -s "$go" ] && exit 1;;
esac
exec '${process.env['FFMPEG_PATH'] || 'ffmpeg'}' "$@"
`
  const path = join(folder, 'ffmpeg.sh')
  await writeFile(path, script, { mode: 0o755 })
  return {
    settings: { FFMPEG_PATH: path },
    letGo: (userId: string) => writeFile(join(folder, `go-${userId}`), ''),
    letFail: (userId: string) => writeFile(join(folder, `go-${userId}`), 'fail'),
  }
}
