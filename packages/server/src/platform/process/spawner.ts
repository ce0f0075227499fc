import type { ChildProcess } from 'node:child_process'
import { readdir, readlink, realpath } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Log } from '../log.ts'
import { childEnv } from './child-env.ts'
import {
  adoptDetached,
  type DetachedOptions,
  type DetachedProcess,
  type Exit,
  processBirth,
  processOf,
  startDetached,
} from './detached.ts'
import { startChild } from './start-child.ts'
import type { Warden } from './warden/warden.ts'

/** Where the ffmpegs of broadcasts come from: a warden, or a spawner where there is one machine only. */
export type ProcessStarter = Pick<Warden, 'start' | 'adopt'>

export interface SpawnOrder {
  readonly id: number
  readonly command: string
  readonly args: string[]
  readonly options: DetachedOptions
}

interface ProcessId {
  readonly pid: number
  readonly birth: string
}

export type FromSpawner =
  | ({ readonly type: 'started'; readonly id: number } & ProcessId)
  | { readonly type: 'refused'; readonly id: number; readonly message: string; readonly code: string }
  | ({ readonly type: 'exited'; readonly exit: Exit } & ProcessId)

/** Built, it lies beside the program's own file. */
const MAIN = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? './spawner-main.ts' : './spawner-main.js', import.meta.url),
)
const NODE_FLAGS = ['--max-old-space-size=32', '--max-semi-space-size=1']
const PROCESS_SETTINGS = { MALLOC_ARENA_MAX: '2', UV_THREADPOOL_SIZE: '1' }
const NOBODY_KNOWS: Exit = { code: null, signal: null }

interface SpawnerDeps {
  /** Where it runs, so that a look at the processes tells whose it is. */
  readonly dataDir: string
  readonly log: Log
  /** It hangs if a start takes longer: usually one takes milliseconds, on a very busy machine a second. */
  readonly answerMs?: number
}

/**
 * A small process that starts the program's ffmpegs. To start a process, the kernel copies the page tables of the one that asks for it: that
 * holds the event loop of a program of 250 MB for ten milliseconds and more, and this one's for one.
 *
 * Nothing depends on it: where it is killed or hangs, what it has started runs on, and the next start comes from another one.
 */
export function createSpawner(deps: SpawnerDeps): ProcessStarter {
  let current: Spawner | null = null

  function open(): Spawner {
    const opened = openSpawner(deps)
    opened.gone.then(() => {
      deps.log.warn(
        { spawnerPid: opened.pid },
        'the process that starts ffmpegs is gone; the next start begins another',
      )
      current = null
    })
    return opened
  }

  return {
    async start(command, args, options) {
      for (let tries = 0; tries < 2; tries++) {
        current ??= open()
        const started = await current.start(command, args, options)
        // It may have been started in the last moment. A second ffmpeg would disturb its broadcast.
        const found = started ?? (await findByErrorFile(options.errorFile))
        if (found) return found
      }
      return startDetached(command, args, options)
    },
    adopt: ({ pid, birth }) => adoptDetached(pid, birth),
  }
}

interface Spawner {
  readonly pid: number | undefined
  readonly gone: Promise<void>
  /** Null: the spawner is gone, and nobody knows what became of it. */
  start(command: string, args: string[], options: DetachedOptions): Promise<DetachedProcess | null>
}

function openSpawner({ dataDir, answerMs = 10_000 }: SpawnerDeps): Spawner {
  const child = startChild(process.execPath, [...NODE_FLAGS, MAIN], {
    cwd: dataDir,
    env: { ...childEnv(), ...PROCESS_SETTINGS },
    detached: true,
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  const asked = new Map<number, PromiseWithResolvers<DetachedProcess | null>>()
  const running = new Map<string, ProcessId & { ended(exit: Exit): void }>()
  let lastId = 0

  child.on('message', (news: FromSpawner) => {
    if (news.type === 'exited') {
      running.get(keyOf(news))?.ended(news.exit)
      running.delete(keyOf(news))
      return
    }
    const answer = asked.get(news.id)
    asked.delete(news.id)
    if (news.type === 'refused') answer?.reject(Object.assign(new Error(news.message), { code: news.code }))
    else {
      const { promise, resolve } = Promise.withResolvers<Exit>()
      running.set(keyOf(news), { pid: news.pid, birth: news.birth, ended: resolve })
      answer?.resolve(processOf(news, promise))
    }
  })

  const gone = whenGone(child).then(() => {
    for (const { pid, birth, ended } of running.values())
      (adoptDetached(pid, birth)?.exited ?? Promise.resolve(NOBODY_KNOWS)).then(ended)
    for (const { resolve } of asked.values()) resolve(null)
  })
  child.unref()
  child.channel?.unref()

  return {
    pid: child.pid,
    gone,
    async start(command, args, options) {
      if (child.pid === undefined || !child.connected) return gone.then(() => null)
      const id = ++lastId
      const answer = Promise.withResolvers<DetachedProcess | null>()
      asked.set(id, answer)
      const timer = setTimeout(() => child.kill('SIGKILL'), answerMs).unref()
      child.send({ id, command, args, options } satisfies SpawnOrder, () => {})
      return answer.promise.finally(() => clearTimeout(timer))
    },
  }
}

const keyOf = ({ pid, birth }: ProcessId): string => `${pid} ${birth}`

/**
 * It has ended, and all that it has told was heard. The channel closes for good only when a process that it was just starting has begun:
 * until then that one has the channel open too.
 */
async function whenGone(child: ChildProcess): Promise<void> {
  // An exit or a closed channel follows every error that matters here.
  child.on('error', () => {})
  if (child.pid === undefined) return
  const when = (event: 'exit' | 'disconnect') => new Promise((resolve) => child.once(event, resolve))
  await Promise.all([when('exit'), when('disconnect')])
}

/** Each has a file of its own for its errors. The kernel names it by where it lies, also where a link led there. */
async function findByErrorFile(errorFile: string): Promise<DetachedProcess | null> {
  const file = await realpath(errorFile).catch(() => null)
  if (file === null) return null
  for (const entry of await readdir('/proc').catch(() => [])) {
    if (!/^\d+$/.test(entry)) continue
    if ((await readlink(`/proc/${entry}/fd/2`).catch(() => '')) !== file) continue
    return adoptDetached(Number(entry), processBirth(Number(entry)) ?? '')
  }
  return null
}
