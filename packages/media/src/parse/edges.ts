export interface EdgePacket {
  readonly isPicture: boolean
  readonly pts: number
  readonly dts: number
  readonly seconds: number
  readonly isKey: boolean
}

/** Where a file begins and ends, packet by packet: all that decides how its end meets its beginning. */
export interface LoopEdges {
  /** When the first picture is shown, and when the first sound is heard. */
  readonly pictureStart: number
  readonly soundStart: number
  /** The last seconds of both, in the order of the file. */
  readonly tail: readonly EdgePacket[]
  /** How many packets of sound were read. */
  readonly soundPackets: number
}

/** As ffprobe writes it. */
interface ToldPacket {
  readonly index: unknown
  readonly pts: string | undefined
  readonly dts: string | undefined
  readonly duration: string | undefined
  readonly flags: string | undefined
}

interface EdgeScan {
  /** One line of ffprobe's answer to edgeProbeArgs. */
  line(line: string): void
  packet(told: ToldPacket): void
  /** Null when there is nothing of one of the two, or something that cannot be read. */
  edges(): LoopEdges | null
}

/** A little more than what is asked for: the reading begins at the key frame before it. */
const KEPT_SECONDS = 20
/** Twenty seconds have some two thousand packets; a file with more of them is none that anybody made to be watched. */
const MOST_KEPT = 20_000

/** For a reader that takes the lines as they come: it keeps the end alone, however long the file is. */
export function edgeScan(pictureIndex: number, soundIndex: number): EdgeScan {
  let tail: EdgePacket[] = []
  let pictureStart = Number.POSITIVE_INFINITY
  let soundStart = Number.POSITIVE_INFINITY
  let latest = Number.NEGATIVE_INFINITY
  let soundPackets = 0
  let unreadable = false

  function keep(packet: EdgePacket): void {
    latest = Math.max(latest, packet.dts)
    tail.push(packet)
    if (tail.length < MOST_KEPT) return
    tail = tail.filter(({ dts }) => dts > latest - KEPT_SECONDS)
    if (tail.length > MOST_KEPT / 2) unreadable = true
  }

  function packet({ index, pts, dts, duration, flags = '' }: ToldPacket): void {
    const isPicture = Number(index) === pictureIndex
    if (unreadable || (!isPicture && Number(index) !== soundIndex)) return
    const shown = seconds(pts) ?? seconds(dts)
    if (shown === null) {
      unreadable = true
      return
    }
    if (isPicture) pictureStart = Math.min(pictureStart, shown)
    else {
      soundStart = Math.min(soundStart, shown)
      soundPackets++
    }
    keep({
      isPicture,
      pts: shown,
      dts: seconds(dts) ?? shown,
      seconds: seconds(duration) ?? 0,
      isKey: flags.startsWith('K'),
    })
  }

  return {
    packet,
    line(line) {
      // Side data, such as of an encoder's priming, adds a comma and an empty line.
      if (line.trim() === '' || unreadable) return
      const [index, pts, dts, duration, , flags] = line.trim().split(',')
      packet({ index, pts, dts, duration, flags })
    },
    edges() {
      if (unreadable || !Number.isFinite(pictureStart) || !Number.isFinite(soundStart)) return null
      return { pictureStart, soundStart, tail: tail.filter(({ dts }) => dts > latest - KEPT_SECONDS), soundPackets }
    },
  }
}

/** The edges in an answer to probeArgs that was asked for them (see parseAnswer); null: they are not in it, or cannot be read. */
export function edgesIn(answer: unknown, pictureIndex: number, soundIndex: number): LoopEdges | null {
  const scan = edgeScan(pictureIndex, soundIndex)
  for (const packet of packetsOf(answer)) {
    const { stream_index: index, pts_time: pts, dts_time: dts, duration_time: duration, flags } = packet
    scan.packet({ index, pts: text(pts), dts: text(dts), duration: text(duration), flags: text(flags) })
  }
  return scan.edges()
}

type JsonPacket = Readonly<
  Partial<Record<'stream_index' | 'pts_time' | 'dts_time' | 'duration_time' | 'flags', unknown>>
>

function packetsOf(answer: unknown): readonly JsonPacket[] {
  const packets = (answer as { packets?: unknown } | null)?.packets
  return Array.isArray(packets) ? packets.map((packet) => packet ?? {}) : []
}

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

const seconds = (text: string | undefined): number | null =>
  text !== undefined && /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : null
