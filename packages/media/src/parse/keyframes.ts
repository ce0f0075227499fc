export interface KeyframeFacts {
  /**
   * False also for a file cut by an edit list, whose first packet is marked to be discarded and yet copied, and for one
   * cut out of an open group of pictures, where pictures that cannot be decoded are shown before the first key frame.
   */
  firstPacketIsKey: boolean
  /** The longest stretch without a key frame; the one from the last key frame to the end counts, as a loop plays on. */
  largestGapSeconds: number
  /**
   * From the first packet to the end of the last, in the order of showing or of decoding, whichever is less: a cut takes
   * pictures that were to be shown before the last. Less than the video claims to last when its file was cut off.
   */
  spanSeconds: number
  /** The longest time from one packet to the next, in decoding order: where a recording stood still, it is long. */
  largestStepSeconds: number
  /** The shortest; far below the length of a frame where the frames do not come evenly. */
  smallestStepSeconds: number
  /** The bits of the picture's packets, in the ten seconds that have the most. */
  densestBitsPerSecond: number
}

export interface KeyframeScan {
  /** One line of ffprobe's answer to packetProbeArgs. */
  line(line: string): void
  facts(): KeyframeFacts | null
}

/** For a reader that takes the lines as they come: a day of video has tens of megabytes of them. */
export function keyframeScan(): KeyframeScan {
  let firstPacketIsKey: boolean | null = null
  let firstSeconds = 0
  let endSeconds = 0
  let lowestSeconds = 0
  const decoding = decodingOrder()
  const density = densestSeconds()
  let unreadable = false
  let largestGap = 0
  let previousKey = 0
  const gapTo = (seconds: number): number => Math.max(largestGap, seconds - previousKey)
  return {
    line(line) {
      // MPEG-TS packets carry side data, which adds a comma and an empty line.
      const text = line.trim()
      if (text === '') return
      const packet = readPacket(text)
      if (packet === null) {
        unreadable = true
        return
      }
      if (firstPacketIsKey === null) {
        firstPacketIsKey = packet.isKey && !packet.isDiscarded
        firstSeconds = packet.startSeconds
        previousKey = packet.startSeconds
        lowestSeconds = packet.startSeconds
        endSeconds = packet.endSeconds
      }
      lowestSeconds = Math.min(lowestSeconds, packet.startSeconds)
      endSeconds = Math.max(endSeconds, packet.endSeconds)
      decoding.packet(packet.decodedSeconds, packet.lengthSeconds)
      density.packet(packet.decodedSeconds ?? packet.startSeconds, packet.bytes)
      if (!packet.isKey) return
      largestGap = gapTo(packet.startSeconds)
      previousKey = packet.startSeconds
    },
    facts() {
      if (unreadable || firstPacketIsKey === null) return null
      const spanSeconds = micros(Math.min(endSeconds - firstSeconds, decoding.spanSeconds()))
      return {
        firstPacketIsKey: firstPacketIsKey && lowestSeconds >= firstSeconds,
        largestGapSeconds: micros(gapTo(endSeconds)),
        spanSeconds,
        largestStepSeconds: micros(decoding.largestStepSeconds()),
        smallestStepSeconds: micros(decoding.smallestStepSeconds()),
        densestBitsPerSecond: density.bitsPerSecond(spanSeconds),
      }
    },
  }
}

/** Matroska keeps no decoding times: ffprobe works them out, but cannot for the first packets. Those count by their length. */
function decodingOrder() {
  let first: number | null = null
  let last: number | null = null
  let lengthOfLast = 0
  let lengthBefore = 0
  let largest = 0
  let smallest = Number.POSITIVE_INFINITY
  return {
    packet(decoded: number | null, length: number) {
      if (decoded === null) {
        lengthBefore += length
        return
      }
      if (last !== null) {
        largest = Math.max(largest, decoded - last)
        smallest = Math.min(smallest, decoded - last)
      }
      first ??= decoded
      last = decoded
      lengthOfLast = length
    },
    spanSeconds: () =>
      first === null || last === null ? Number.POSITIVE_INFINITY : last - first + lengthOfLast + lengthBefore,
    largestStepSeconds: () => largest,
    smallestStepSeconds: () => (Number.isFinite(smallest) ? smallest : 0),
  }
}

const DENSE_SECONDS = 10

/** A platform's line is filled by what is sent within seconds, whatever the average of the file. Only whole seconds are kept, ten at most. */
function densestSeconds() {
  let seconds: { readonly at: number; bytes: number }[] = []
  // Kept beside them: there may be millions of packets, and each of them changes it.
  let sum = 0
  let most = 0
  return {
    packet(decoded: number, bytes: number) {
      const at = Math.floor(decoded)
      let last = seconds.at(-1)
      // Times that go backwards are sent at once: their bytes count where the sending is.
      if (last === undefined || at > last.at) {
        last = { at, bytes: 0 }
        seconds = [...seconds.filter((second) => second.at > at - DENSE_SECONDS), last]
        sum = seconds.reduce((total, second) => total + second.bytes, 0)
      }
      last.bytes += bytes
      sum += bytes
      most = Math.max(most, sum)
    },
    /** A shorter video is sent again and again. */
    bitsPerSecond: (spanSeconds: number) =>
      Math.round((8 * most) / (spanSeconds > 0 ? Math.min(DENSE_SECONDS, spanSeconds) : DENSE_SECONDS)),
  }
}

/** Null when there is no packet, or one whose time cannot be read: half the packets prove nothing. */
export function parseKeyframes(csv: string): KeyframeFacts | null {
  const scan = keyframeScan()
  for (const line of csv.split('\n')) scan.line(line)
  return scan.facts()
}

function readPacket(text: string) {
  const [pts, dts, duration, size, flags] = text.split(',')
  const decodedSeconds = seconds(dts)
  const lengthSeconds = seconds(duration) ?? 0
  // AVI has no presentation times; for the distance between key frames the decoding times serve as well.
  const startSeconds = seconds(pts) ?? decodedSeconds
  if (startSeconds === null || flags === undefined || !/^[K_][D_][C_]?$/.test(flags)) return null
  return {
    startSeconds,
    decodedSeconds,
    lengthSeconds,
    endSeconds: startSeconds + lengthSeconds,
    bytes: seconds(size) ?? 0,
    isKey: flags.startsWith('K'),
    isDiscarded: flags.includes('D'),
  }
}

/** ffprobe's times have six decimals; what lies behind them is rounding of the subtraction. */
const micros = (value: number): number => Math.round(value * 1e6) / 1e6

const seconds = (text: string | undefined): number | null =>
  text !== undefined && /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : null
