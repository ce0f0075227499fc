import { execFile } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type S3Server, startS3Server } from '@siarin/testkit/s3-server'
import { OPERATORS_ENV, programCommand } from '@siarin/testkit/siarin-server'
import { tempDir } from '@siarin/testkit/temp-dir'
import { paddedVideo } from '../large-files.ts'
import { median, type Row, shared } from '../row.ts'

const MIB = 1024 ** 2
const ROUNDS = 3
const BARE = 'the SDK alone, the same store'

/** MiB a second, parts a second, and MB. */
interface Transfer {
  readonly put: number
  readonly whole: number
  readonly ranges: number
  readonly growth: number
}

let transfers = 0

async function transfer(who: 'ours' | 'bare', s3: S3Server, { file, folder }: { file: string; folder: string }) {
  const key = `${who}-${transfers++}`
  const program = join(import.meta.dirname, '..', 's3-transfers.ts')
  const [node = '', ...args] = programCommand({ givesWay: true, main: program })
  const env = { ...process.env, ...OPERATORS_ENV, ...s3.env }
  const { stdout } = await promisify(execFile)(node, [...args, who, file, folder, key], { env })
  await rm(join(folder, `${key}-source`), { force: true })
  return JSON.parse(stdout) as Transfer
}

const measured = shared(async () => {
  const [s3, folder] = [await startS3Server(), await tempDir('bench-storage')]
  try {
    const place = { file: await paddedVideo(folder.path, 512 * MIB), folder: folder.path }
    const rounds: { ours: Transfer; bare: Transfer }[] = []
    for (let round = 0; round < ROUNDS; round++) {
      rounds.push({ ours: await transfer('ours', s3, place), bare: await transfer('bare', s3, place) })
    }
    await rm(place.file)
    const large = { ...place, file: await paddedVideo(folder.path, 2048 * MIB) }
    const { growth } = await transfer('ours', s3, large)
    const of = (figure: keyof Transfer) => ({
      ours: median(rounds.map(({ ours }) => ours[figure])),
      yardstick: median(rounds.map(({ bare }) => bare[figure])),
    })
    return { put: of('put'), whole: of('whole'), ranges: of('ranges'), growth }
  } finally {
    await s3.stop()
    await folder.remove()
  }
})

const besideBare = (name: string, unit: string, figure: 'put' | 'whole' | 'ranges'): Row => ({
  ...{ name: `storage: ${name}`, unit, yardstick: BARE, wanted: { ratioAtLeast: 0.8 } },
  measure: async () => (await measured())[figure],
})

export const storageRows: readonly Row[] = [
  besideBare('512 MiB to S3', 'MiB/s', 'put'),
  besideBare('512 MiB from S3', 'MiB/s', 'whole'),
  besideBare('parts of 256 KiB of a file on S3, four at once', '/s', 'ranges'),
  {
    name: 'storage: growth of memory while 2 GiB go to S3 and back',
    unit: 'MB',
    yardstick: 'what it may take',
    wanted: { ratioAtMost: 1 },
    measure: async () => ({ ours: (await measured()).growth, yardstick: 80 }),
  },
]
