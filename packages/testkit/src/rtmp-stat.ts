import { XMLParser } from 'fast-xml-parser'

export type Publisher = {
  app: string
  name: string
  /** nginx's number of the connection: another one means that the publisher has come anew. */
  id: number
  address: string
  bytesIn: number
  /** How long the connection has stood. */
  timeMs: number
  /** How far the stream itself says it is. */
  timestampMs: number
  videoCodec: string | null
  audioCodec: string | null
  width: number | null
  height: number | null
}

type Xml = { [tag: string]: Xml | Xml[] | string | undefined }

const LISTS = ['server', 'application', 'stream', 'client']

/** Who publishes, from the page of nginx-rtmp's `rtmp_stat`. */
export function parseRtmpStat(xml: string): Publisher[] {
  // Values stay text: a stream named 0012 must not become the number 12.
  const parser = new XMLParser({ parseTagValue: false, isArray: (tag) => LISTS.includes(tag) })
  const root: Xml = parser.parse(xml)
  return each(child(root, 'rtmp'), 'server')
    .flatMap((server) => each(server, 'application'))
    .flatMap((application) =>
      each(child(application, 'live'), 'stream').flatMap((stream) => publishersOf(text(application, 'name'), stream)),
    )
}

function publishersOf(app: string, stream: Xml): Publisher[] {
  const video = child(child(stream, 'meta'), 'video')
  const audio = child(child(stream, 'meta'), 'audio')
  return each(stream, 'client')
    .filter((client) => 'publishing' in client)
    .map((client) => ({
      app,
      name: text(stream, 'name'),
      id: Number(text(client, 'id')),
      address: text(client, 'address'),
      bytesIn: Number(text(stream, 'bytes_in')),
      timeMs: Number(text(client, 'time')),
      timestampMs: Number(text(client, 'timestamp')),
      videoCodec: text(video, 'codec') || null,
      audioCodec: text(audio, 'codec') || null,
      width: Number(text(video, 'width')) || null,
      height: Number(text(video, 'height')) || null,
    }))
}

function child(parent: Xml, tag: string): Xml {
  const value = parent[tag]
  return typeof value === 'object' && !Array.isArray(value) ? value : {}
}

function each(parent: Xml, tag: string): Xml[] {
  const value = parent[tag]
  return Array.isArray(value) ? value.filter((item) => typeof item === 'object') : []
}

function text(parent: Xml, tag: string): string {
  const value = parent[tag]
  return typeof value === 'string' ? value : ''
}
