import { pino } from 'pino'
import { monotonicMs } from '../../src/platform/process/warden/deadline.ts'
import { openWarden } from '../../src/platform/process/warden/warden.ts'

/**
 * A program that keeps ffmpegs by a warden, to be killed and stopped: `warden-program.ts <folder> <streams> <deadline>`. It tells what runs,
 * and then extends the deadline to so many ms from now, every 200 ms.
 */
const [folder = '', streams = '1', deadlineMs = '5000'] = process.argv.slice(2)

const warden = await openWarden({ directory: `${folder}/warden`, dataDir: folder, log: pino({ level: 'silent' }) })
const extend = () => warden.extend(BigInt(monotonicMs() + Number(deadlineMs)))
extend()
const endless = ['-nostdin', '-v', 'error', '-re', '-f', 'lavfi', '-i', 'anullsrc', '-f', 'null', '-']
const started = await Promise.all(
  Array.from({ length: Number(streams) }, (_, number) =>
    warden.start('ffmpeg', endless, {
      ...{ errorFile: `${folder}/errors-${number}`, cwd: folder },
      ...{ streamId: `stream-${number}`, epoch: 1 },
    }),
  ),
)
const running = started.map(({ pid, birth }) => ({ pid, birth }))
process.stdout.write(`${JSON.stringify({ wardenPid: warden.pid(), running })}\n`)
setInterval(extend, 200)
