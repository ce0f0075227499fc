import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { type LoopbackHttp, serveOnLoopback } from './loopback-http.ts'
import { startService, waitUntilUp } from './service-process.ts'
import { tempDir } from './temp-dir.ts'

export type HlsSourceOptions = {
  /** Without it any. */
  port?: number
  segmentSeconds?: number
  width?: number
  height?: number
  fps?: number
  videoCodec?: string
  audioCodec?: string | null
  /** Without it the source says nothing of other pages, and a browser lets none of them read it. */
  cors?: boolean
  /** Placed before the output, so they win over what comes before. */
  extraArgs?: string[]
}

export type HlsSource = {
  /** The playlist of a broadcast that is going on. */
  url: string
  /** A playlist that names the other one. */
  masterUrl: string
  /** Its playlist is gone: 404. */
  stop(): void
  /** The same playlist for ever, as of an encoder that hangs. */
  freeze(): Promise<void>
  /** The broadcast is over, and says so. */
  end(): Promise<void>
  /** As it was; where the encoder is by now. */
  resume(): void
  /** What was asked for: paths with their query. */
  requests(): string[]
  dispose(): Promise<void>
}

const LISTED = 6
const PLAYLIST = 'live.m3u8'
const MASTER = 'master.m3u8'
const TYPES: Record<string, string> = { m3u8: 'application/vnd.apple.mpegurl', ts: 'video/mp2t' }

/** A live HLS source as a platform has one: a real encoder, a rolling window, a web server on loopback. */
export async function startHlsSource(options: HlsSourceOptions = {}): Promise<HlsSource> {
  const folder = await tempDir('hls-source')
  const encoder = await startService({
    command: process.env['FFMPEG_PATH'] || 'ffmpeg',
    args: encoderArgs(options),
    cwd: folder.path,
    deathSignal: 'KILL',
  })
  const requests: string[] = []
  /** What is said instead of the playlist of the encoder. */
  let said: { status: number; text: string } | null = null

  const current = () => readFile(join(folder.path, PLAYLIST), 'utf8')
  async function contentOf(name: string): Promise<{ status: number; bytes: Buffer | string }> {
    if (name === MASTER) return { status: 200, bytes: masterText(options) }
    if (name === PLAYLIST && said) return { status: said.status, bytes: said.text }
    return readFile(join(folder.path, basename(name))).then(
      (bytes) => ({ status: 200, bytes }),
      () => ({ status: 404, bytes: '' }),
    )
  }

  const server: LoopbackHttp = await serveOnLoopback(async (request, response) => {
    requests.push(request.url ?? '')
    const name = new URL(request.url ?? '', 'http://source').pathname.slice(1)
    const { status, bytes } = await contentOf(name)
    response
      .writeHead(status, {
        'content-type': TYPES[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream',
        ...(options.cors ? { 'access-control-allow-origin': '*' } : {}),
      })
      .end(bytes)
  }, options.port)

  async function dispose(): Promise<void> {
    await encoder.stop('SIGKILL')
    await server.close()
    await folder.remove()
  }

  // Three segments are what a player wants to see before it begins.
  const isUp = () => current().then((text) => text.split('#EXTINF').length > 3)
  await waitUntilUp('the HLS source', encoder, () => isUp().catch(() => false)).catch(async (error) => {
    await dispose()
    throw error
  })
  return {
    url: `${server.url}/${PLAYLIST}`,
    masterUrl: `${server.url}/${MASTER}`,
    stop() {
      said = { status: 404, text: '' }
    },
    async freeze() {
      said = { status: 200, text: await current() }
    },
    async end() {
      said = { status: 200, text: `${await current()}#EXT-X-ENDLIST\n` }
    },
    resume() {
      said = null
    },
    requests: () => [...requests],
    dispose,
  }
}

/** As much as a player wants to see before it begins comes at once, and the rest at the pace of a clock. */
const AHEAD_SEGMENTS = 4
const paced = (aheadSeconds: number): string => `sendcmd=c='${aheadSeconds} realtime speed 1',realtime=speed=50`

function encoderArgs({
  segmentSeconds = 1,
  width = 320,
  height = 180,
  fps = 25,
  ...options
}: HlsSourceOptions): string[] {
  const { videoCodec = 'libx264', audioCodec = 'aac', extraArgs = [] } = options
  const gop = String(fps * segmentSeconds)
  const picture = `testsrc2=size=${width}x${height}:rate=${fps},${paced(AHEAD_SEGMENTS * segmentSeconds)}[out0]`
  // Both are of one graph, where the sound waits for the picture.
  const sound = audioCodec === null ? '' : ';sine=frequency=440:sample_rate=48000[out1]'
  return [
    ...['-nostdin', '-hide_banner', '-loglevel', 'error', '-y', '-f', 'lavfi', '-i', `${picture}${sound}`],
    ...['-c:v', videoCodec, '-pix_fmt', 'yuv420p', '-g', gop, '-keyint_min', gop],
    ...(videoCodec.startsWith('libx26') ? ['-preset', 'ultrafast', '-sc_threshold', '0'] : []),
    ...(audioCodec === null ? [] : ['-c:a', audioCodec, '-ac', '2', '-b:a', '96k']),
    ...['-f', 'hls', '-hls_time', String(segmentSeconds), '-hls_list_size', String(LISTED)],
    // Kept a while after they have left the list, as a web cache would.
    ...['-hls_delete_threshold', '10', '-hls_flags', 'delete_segments+temp_file+omit_endlist'],
    ...['-hls_segment_filename', 'segment-%05d.ts'],
    ...extraArgs,
    PLAYLIST,
  ]
}

const masterText = ({ width = 320, height = 180 }: HlsSourceOptions): string =>
  `#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=800000,RESOLUTION=${width}x${height}\n${PLAYLIST}\n`
