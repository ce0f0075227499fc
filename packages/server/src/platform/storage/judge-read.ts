/** What is told of a stored file without reading it. */
export interface FileFacts {
  readonly bytes: number
  /** Changes with the content. As HTTP writes it. */
  readonly etag: string
  readonly modifiedAt: Date
}

/** What a reader asks for, in the words of HTTP's headers. */
export interface ReadConditions {
  readonly range?: string | undefined
  readonly ifMatch?: string | undefined
  readonly ifNoneMatch?: string | undefined
  readonly ifModifiedSince?: string | undefined
  readonly ifUnmodifiedSince?: string | undefined
  /** Under which `range` counts; otherwise the whole file is sent. */
  readonly ifRange?: string | undefined
}

/** Both ends belong to it. */
interface ByteRange {
  readonly start: number
  readonly end: number
}

export type ReadVerdict =
  | { readonly kind: 'whole' }
  | { readonly kind: 'part'; readonly range: ByteRange }
  | { readonly kind: 'not-modified' }
  | { readonly kind: 'precondition-failed' }
  | { readonly kind: 'unsatisfiable' }

/**
 * What a reader gets of a file (RFC 9110). Every adapter judges by this function and sends what it says: stores differ in which
 * conditions they know, and some know no If-Range.
 */
export function judgeRead(facts: FileFacts, conditions: ReadConditions): ReadVerdict {
  if (isPreconditionFailed(facts, conditions)) return { kind: 'precondition-failed' }
  if (isNotModified(facts, conditions)) return { kind: 'not-modified' }
  if (conditions.range === undefined || !isRangeFresh(facts, conditions)) return { kind: 'whole' }
  const ranges = parseRanges(conditions.range, facts.bytes)
  if (ranges === null || ranges.length > 1) return { kind: 'whole' }
  const [range] = ranges
  return range ? { kind: 'part', range } : { kind: 'unsatisfiable' }
}

/** HTTP's dates have whole seconds. */
const secondOf = ({ modifiedAt }: FileFacts): number => Math.floor(modifiedAt.getTime() / 1000) * 1000

const tokensOf = (list: string): string[] => list.split(',').map((token) => token.trim())

/** Two tags are alike whether or not one of them is said to be weak. */
const names = (list: string, { etag }: FileFacts): boolean =>
  list === '*' || tokensOf(list).some((token) => token === etag || `W/${token}` === etag)

function isPreconditionFailed(facts: FileFacts, { ifMatch, ifUnmodifiedSince }: ReadConditions): boolean {
  if (ifMatch && !names(ifMatch, facts)) return true
  // A date that nobody can read is none.
  return secondOf(facts) > Date.parse(ifUnmodifiedSince ?? '')
}

function isNotModified(facts: FileFacts, { ifNoneMatch, ifModifiedSince }: ReadConditions): boolean {
  if (ifNoneMatch !== undefined) return names(ifNoneMatch, facts)
  return secondOf(facts) <= Date.parse(ifModifiedSince ?? '')
}

function isRangeFresh(facts: FileFacts, { ifRange }: ReadConditions): boolean {
  if (ifRange === undefined) return true
  return ifRange.includes('"') ? ifRange.includes(facts.etag) : secondOf(facts) <= Date.parse(ifRange)
}

/** Those that the file has, joined where they touch. Null: it is no range of bytes at all, and does not count. */
function parseRanges(header: string, bytes: number): ByteRange[] | null {
  const list = /^ *bytes=(.*)$/.exec(header)?.[1]
  if (list === undefined) return null
  const found = tokensOf(list).flatMap((token) => rangeOf(token, bytes) ?? [])
  return found.sort((one, other) => one.start - other.start).reduce(joinTo, [])
}

function rangeOf(token: string, bytes: number): ByteRange | null {
  const [, from = '', to = ''] = /^(\d*)-(\d*)$/.exec(token) ?? []
  const last = bytes - 1
  const range =
    from === ''
      ? // So much of the end: more than there is, is all of it.
        { start: to === '' ? Number.NaN : Math.max(0, bytes - Number(to)), end: last }
      : { start: Number(from), end: to === '' ? last : Math.min(Number(to), last) }
  return range.start >= 0 && range.start <= range.end ? range : null
}

function joinTo(joined: ByteRange[], next: ByteRange): ByteRange[] {
  const before = joined.at(-1)
  if (!before || next.start > before.end + 1) return [...joined, next]
  return [...joined.slice(0, -1), { start: before.start, end: Math.max(before.end, next.end) }]
}
