/** So many ids side by side share an array. */
const SIDE_BY_SIDE = 4_096

/**
 * Which numbers of rows were seen. A line that breaks all day has half a million incidents in a year: as a bit each they take a tenth of a
 * megabyte, where a `Set` takes twenty.
 */
export function createIdSet() {
  const bits = new Map<number, Uint8Array>()
  const placeOf = (id: number) => ({
    at: Math.floor(id / SIDE_BY_SIDE),
    byte: (id % SIDE_BY_SIDE) >> 3,
    bit: 1 << (id & 7),
  })
  return {
    add(id: number): void {
      const { at, byte, bit } = placeOf(id)
      const some = bits.get(at) ?? new Uint8Array(SIDE_BY_SIDE / 8)
      some[byte] = (some[byte] ?? 0) | bit
      bits.set(at, some)
    },
    has(id: number): boolean {
      const { at, byte, bit } = placeOf(id)
      return ((bits.get(at)?.[byte] ?? 0) & bit) !== 0
    },
  }
}
