import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from './free-port.ts'
import { type Publisher, parseRtmpStat } from './rtmp-stat.ts'
import { findProgram, type Service, startService, waitUntilUp } from './service-process.ts'
import { type TempDir, tempDir } from './temp-dir.ts'
import { type WaitOptions, waitFor } from './wait-for.ts'

export type { Publisher }

export type RtmpServerOptions = {
  port?: number
  /** Asked for each publisher; an answer other than 2xx refuses it. */
  onPublishUrl?: string
  /** Told of each publisher's end. */
  onPublishDoneUrl?: string
  /** Keeps what arrives as FLV files; see `recordings`. */
  record?: boolean
}

export type RtmpServer = {
  port: number
  /** To be followed by a slash and the stream's name. */
  url: string
  /** The same for a place where every stream's key is refused. */
  refusingUrl: string
  httpUrl: string
  publishers(): Promise<Publisher[]>
  publisher(name: string): Promise<Publisher | null>
  /** With `growing`: until its bytes have grown while we looked. `otherThan`: the id of the one that must have gone. */
  waitForPublisher(name: string, options?: WaitOptions & { growing?: boolean; otherThan?: number }): Promise<Publisher>
  waitForNoPublisher(name: string, options?: WaitOptions): Promise<void>
  /** Cuts the publisher's connection; answers how many there were. */
  dropPublisher(name: string): Promise<number>
  recordings(): Promise<string[]>
  /** Ends the server and everything it kept. */
  stop(): Promise<void>
  /** Starts it again on the same ports. */
  start(): Promise<void>
  /** A server that is there but does not answer. */
  pause(): void
  resume(): void
}

const APP = 'live'
const REFUSING_APP = 'refusing'
const ASK_TIMEOUT_MS = 5000

/** A real nginx with the RTMP module, on loopback and ports of its own. */
export async function startRtmpServer(options: RtmpServerOptions = {}): Promise<RtmpServer> {
  const port = options.port ?? (await freePort())
  const httpPort = await freePort()
  const httpUrl = `http://127.0.0.1:${httpPort}`
  let running: { service: Service; dir: TempDir } | null = null

  const ask = async (path: string): Promise<string> => {
    const answer = await fetch(`${httpUrl}${path}`, { signal: AbortSignal.timeout(ASK_TIMEOUT_MS) })
    if (!answer.ok && answer.status !== 404) throw new Error(`nginx answered ${answer.status} to ${path}`)
    return answer.ok ? answer.text() : ''
  }
  const publishers = async () => parseRtmpStat(await ask('/stat'))
  const publisher = async (name: string) => (await publishers()).find((one) => one.name === name) ?? null

  const server: RtmpServer = {
    port,
    httpUrl,
    url: `rtmp://127.0.0.1:${port}/${APP}`,
    refusingUrl: `rtmp://127.0.0.1:${port}/${REFUSING_APP}`,
    publishers,
    publisher,
    async waitForPublisher(name, { growing = false, otherThan, ...wait } = {}) {
      const what = `${growing ? 'growing ' : ''}publisher ${name}${otherThan === undefined ? '' : ` after ${otherThan}`}`
      const current = async () => {
        const now = await publisher(name)
        return now && now.id !== otherThan ? now : null
      }
      let first = await waitFor(what, current, wait)
      if (!growing) return first
      const hasGrown = async () => {
        const now = await current()
        // One that came in its place counts its bytes from zero.
        if (now && now.id !== first.id) first = now
        return now && now.bytesIn > first.bytesIn && now
      }
      return waitFor(what, hasGrown, wait)
    },
    async waitForNoPublisher(name, wait) {
      await waitFor(`the end of publisher ${name}`, async () => (await publisher(name)) === null, wait)
    },
    async dropPublisher(name) {
      return Number(await ask(`/control/drop/publisher?app=${APP}&name=${encodeURIComponent(name)}`))
    },
    async recordings() {
      if (!running) return []
      const folder = join(running.dir.path, 'recordings')
      return (await readdir(folder)).sort().map((name) => join(folder, name))
    },
    async stop() {
      const last = running
      running = null
      if (!last) return
      last.service.signal('SIGCONT')
      await last.service.stop('SIGTERM')
      await last.dir.remove()
    },
    async start() {
      if (running) return
      const dir = await tempDir('rtmp')
      const service = await launch(dir.path, { port, httpPort, ...options })
      await waitUntilUp('nginx', service, async () => (await ask('/stat')) !== '')
      running = { service, dir }
    },
    pause: () => running?.service.signal('SIGSTOP'),
    resume: () => running?.service.signal('SIGCONT'),
  }
  await server.start()
  return server
}

type Layout = RtmpServerOptions & { port: number; httpPort: number }

async function launch(folder: string, layout: Layout): Promise<Service> {
  const nginx = findProgram('nginx')
  await mkdir(join(folder, 'recordings'))
  await writeFile(join(folder, 'nginx.conf'), nginxConf(folder, await rtmpModule(nginx), layout))
  return startService({
    command: nginx,
    args: ['-e', 'stderr', '-p', folder, '-c', join(folder, 'nginx.conf')],
    cwd: folder,
    deathSignal: 'KILL',
  })
}

/** null: not there as a file, so it must have been compiled in. */
async function rtmpModule(nginx: string): Promise<string | null> {
  const { stderr } = await promisify(execFile)(nginx, ['-V'])
  const folder = /--modules-path=(\S+)/.exec(stderr)?.[1] ?? '/usr/lib/nginx/modules'
  const file = join(folder, 'ngx_rtmp_module.so')
  return existsSync(file) ? file : null
}

/** One process (`master_process off`): nothing changes its user, and a signal reaches all of it. */
const nginxConf = (folder: string, module: string | null, layout: Layout) => `
${module ? `load_module ${module};` : ''}
daemon off;
master_process off;
pid ${folder}/nginx.pid;
error_log stderr warn;
events { worker_connections 512; }
rtmp {
  access_log off;
  server {
    listen 127.0.0.1:${layout.port};
    application ${APP} {
      live on;
      ${layout.onPublishUrl ? `on_publish ${layout.onPublishUrl};` : ''}
      ${layout.onPublishDoneUrl ? `on_publish_done ${layout.onPublishDoneUrl};` : ''}
      ${layout.record ? `record all; record_unique on; record_path ${folder}/recordings;` : 'record off;'}
    }
    application ${REFUSING_APP} {
      live on;
      on_publish http://127.0.0.1:${layout.httpPort}/refuse;
    }
  }
}
http {
  access_log off;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  server {
    listen 127.0.0.1:${layout.httpPort};
    location /stat { rtmp_stat all; }
    location /control { rtmp_control all; }
    location /refuse { return 403; }
  }
}
`
