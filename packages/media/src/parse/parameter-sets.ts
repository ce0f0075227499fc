/** Two are enough to know that the picture changes. */
const ENOUGH = 2
/** A real one is some thirty bytes. */
const LONGEST_BYTES = 4096

/**
 * Counts the different sequence parameter sets in what `parameterSetArgs` writes: NAL units behind start codes. A second one may give
 * the picture another size in the middle of the file, which no header tells. One that is too long to be real counts as many.
 */
export function parameterSetScan() {
  const seen = new Set<string>()
  let unit: number[] = []
  let zeros = 0
  let isTooLong = false

  const isDecided = (): boolean => isTooLong || seen.size >= ENOUGH

  function finish(): void {
    if (unit.length > 0 && seen.size < ENOUGH) seen.add(unit.join())
    unit = []
  }

  function add(byte: number): void {
    isTooLong = unit.length + zeros >= LONGEST_BYTES
    if (isTooLong) return
    // Zeros count only where something follows: those in front of a start code belong to it.
    for (; zeros > 0; zeros--) unit.push(0)
    unit.push(byte)
  }

  return {
    isDecided,
    bytes(chunk: Uint8Array): void {
      for (const byte of chunk) {
        if (isDecided()) return
        if (byte === 0) zeros++
        else if (byte === 1 && zeros >= 2) {
          finish()
          zeros = 0
        } else add(byte)
      }
    },
    count(): number {
      finish()
      return isTooLong ? ENOUGH : seen.size
    },
  }
}
