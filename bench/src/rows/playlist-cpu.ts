import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeClip } from '@siarin/testkit/clips'
import { cpuSeconds, descendantsOf } from '@siarin/testkit/processes'
import { waitFor } from '@siarin/testkit/wait-for'
import type { Row } from '../row.ts'
import { type Stage, setStage } from '../stage.ts'

const STREAMS = 30
const ITEMS = 3
const SECONDS = 20
/** In which two joins of each playlist fall, and two ends of a pass of each loop. */
const WINDOW_MS = 2 * SECONDS * 1000
const SETTLE_MS = 5_000
const CLIP = {
  seconds: SECONDS,
  width: 1280,
  height: 720,
  extraArgs: ['-b:v', '2500k', '-maxrate', '2500k', '-bufsize', '5000k'],
}

/** Videos of the same kind and length; answers their names. */
async function uploadItems(stage: Stage): Promise<string[]> {
  const names: string[] = []
  for (let index = 0; index < ITEMS; index++) {
    const clip = join(stage.folder, `klip${index}.mp4`)
    await makeClip(clip, CLIP)
    const filename = await stage.upload(clip)
    await stage.untilReady(filename)
    names.push(filename)
  }
  return names
}

async function newPlaylist({ siarin, headers }: Stage, videos: readonly string[]): Promise<string> {
  const answer = await fetch(`${siarin.url}/fitur/playlist`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Daftar', videos }),
  })
  if (!answer.ok) throw new Error(await answer.text())
  return `playlist:${((await answer.json()) as { playlist: { id: string } }).playlist.id}`
}

/** The seconds of the program and all of its ffmpegs; those that have ended count with it. */
async function cpuOf({ siarin }: Stage): Promise<number> {
  const pids = [siarin.pid, ...(await descendantsOf(siarin.pid)).map(({ pid }) => pid)]
  return (await Promise.all(pids.map(cpuSeconds))).reduce((total, seconds) => total + seconds, 0)
}

/** A program for each, at the same time: whatever else the machine does falls on both alike. */
async function measure() {
  const env = { LOG_LEVEL: 'warn' }
  await using lists = await setStage({ env })
  await using loops = await setStage({ env })
  const rtmp = await lists.ingest()
  const videos = await uploadItems(lists)
  const [looped = ''] = await uploadItems(loops)
  const playlist = await newPlaylist(lists, videos)
  for (let index = 0; index < STREAMS; index++) {
    await lists.goLive(playlist, `${rtmp.url}/list${index}`)
    await loops.goLive(looped, `${rtmp.url}/loop${index}`)
  }
  await waitFor('all publishers', async () => (await rtmp.publishers()).length === 2 * STREAMS, { timeoutMs: 120_000 })
  await sleep(SETTLE_MS)
  const connections = async () => new Set((await rtmp.publishers()).map(({ id }) => id))
  const look = async () => ({ at: performance.now(), ours: await cpuOf(lists), yardstick: await cpuOf(loops) })
  const known = await connections()
  const before = await look()
  await sleep(WINDOW_MS)
  const after = await look()
  const now = await connections()
  if (now.size !== known.size || [...now].some((id) => !known.has(id)))
    throw new Error('a broadcast broke off while it was measured')
  const percent = (of: 'ours' | 'yardstick') => (100_000 * (after[of] - before[of])) / (after.at - before.at)
  return { ours: percent('ours'), yardstick: percent('yardstick') }
}

export const playlistCpu: Row = {
  name: `stream: CPU of the program and its ffmpegs at ${STREAMS} playlists`,
  unit: '% of a core',
  yardstick: 'as many loops, at the same time',
  wanted: { ratioAtMost: 1.1 },
  measure,
}
