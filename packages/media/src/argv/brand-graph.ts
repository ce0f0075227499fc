import type { CopyPicture, EncodePicture, PictureOverlay } from '../prepare-plan.ts'
import { fileUrl } from './input.ts'

/** What of a picture says what stands on it, and around it. */
type BrandedPicture = Pick<EncodePicture, 'width' | 'height' | 'inner' | 'fill' | 'overlays'>

/** Whether it takes more than one chain of filters. */
export const isBranded = (picture: CopyPicture | EncodePicture): picture is EncodePicture =>
  picture.kind === 'encode' && Boolean(picture.overlays?.length || picture.fill)

/** Each is one picture, which stands until the video ends. */
export const imageInputs = (files: readonly string[]): string[] =>
  files.flatMap((file) => [
    ...['-protocol_whitelist', 'file', '-codec_whitelist', 'png', '-f', 'png_pipe'],
    ...['-i', fileUrl(file)],
  ])

/**
 * The same, read anew each second: a source whose picture changes its size makes ffmpeg build the graph anew, and what was read by then is
 * gone. It never ends by itself; the file stays open, also when it is deleted meanwhile.
 */
export const endlessImageInput = (file: string): string[] => [
  ...['-stream_loop', '-1', '-framerate', '1'],
  ...imageInputs([file]),
]

interface GraphOrder {
  readonly from: string
  readonly into: string
  /** The filters of the video itself; what surrounds it may take chains of its own. */
  readonly filters: readonly string[]
  /** Which input the first overlay is. */
  readonly firstImage: number
  /** Images without an end: the picture ends with the video. */
  readonly endless?: boolean
}

/** The video's own filters, then what stands on it. */
export function brandGraph(picture: BrandedPicture, { from, into, filters, firstImage, endless }: GraphOrder): string {
  const bars = colourBars(picture)
  const images = (picture.overlays ?? []).map((overlay, index) => ({
    ...{ chain: imageChain(overlay, firstImage + index, `[image${index}]`), name: `[image${index}]`, at: overlay },
  }))
  const above = [...bars, ...images]
  if (above.length === 0) return `${from}${filters.join(',')}${into}`
  const overlaid = above.map(({ name, at }, index) => {
    const below = index === 0 ? '[base]' : `[base${index}]`
    const result = index === above.length - 1 ? into : `[base${index + 1}]`
    return `${below}${name}overlay=${at.x}:${at.y}:format=yuv420:eof_action=repeat${endless ? ':shortest=1' : ''}${result}`
  })
  return [`${from}${filters.join(',')}[base]`, ...above.map(({ chain }) => chain), ...overlaid].join(';')
}

/** Premultiplied while its size changes: the colour of what cannot be seen would shine through at the edges. */
const imageChain = ({ width, height, opacity }: PictureOverlay, input: number, into: string): string =>
  [
    `[${input}:v:0]format=gbrap`,
    'premultiply=inplace=1',
    `scale=${width}:${height}:flags=area`,
    'unpremultiply=inplace=1',
    ...(opacity < 1 ? ['format=rgba', `colorchannelmixer=aa=${opacity.toFixed(2)}`] : []),
    'scale=out_color_matrix=bt709:out_range=tv',
    `format=yuva420p${into}`,
  ].join(',')

const hexOf = (colour: string): string => `0x${colour.slice(1)}`

/** `pad` would take the colour for one of BT.601: so black bars are covered by others. */
function colourBars(picture: BrandedPicture) {
  const { width, height, inner, fill } = picture
  if (fill?.kind !== 'bars' || hexOf(fill.colour) === '0x000000') return []
  const { x, y } = innerPlace(picture)
  const boxes = [
    { x: 0, y: 0, width, height: y },
    { x: 0, y: y + inner.height, width, height: height - y - inner.height },
    { x: 0, y, width: x, height: inner.height },
    { x: x + inner.width, y, width: width - x - inner.width, height: inner.height },
  ]
  return boxes
    .filter((box) => box.width > 0 && box.height > 0)
    .map((at, index) => {
      const name = `[bar${index}]`
      const source = `color=c=${hexOf(fill.colour)}:s=${at.width}x${at.height}:r=1,format=rgb24,trim=end_frame=1`
      return { chain: `${source},scale=out_color_matrix=bt709:out_range=tv,format=yuv420p${name}`, name, at }
    })
}

/** Before its size changes, so that nothing is made which is not seen. */
export function cropped({ fill }: EncodePicture): string[] {
  if (fill?.kind !== 'crop' || (fill.width === 1 && fill.height === 1)) return []
  const { width, height, focus } = fill
  const at = focus.toFixed(4)
  return [`crop=iw*${width.toFixed(6)}:ih*${height.toFixed(6)}:(iw-ow)*${at}:(ih-oh)*${at}`]
}

/** Even, since the colours of two lines are one. */
function innerPlace({ width, height, inner }: BrandedPicture): { x: number; y: number } {
  const before = (whole: number, part: number): number => Math.floor((whole - part) / 4) * 2
  return { x: before(width, inner.width), y: before(height, inner.height) }
}

/** What is blurred is made small first: that costs a sixteenth, and nobody sees it. */
const SMALLER = 4
const even = (length: number): number => Math.max(2, Math.round(length / 2) * 2)

/** What is around a video that does not fill the picture. */
export function surrounded(picture: EncodePicture): string[] {
  const { width, height, inner, fill } = picture
  if (inner.width === width && inner.height === height) return []
  const { x, y } = innerPlace(picture)
  if (fill?.kind !== 'blur') return [`pad=${width}:${height}:${x}:${y}:black`]
  const scale = Math.min(inner.width / width, inner.height / height)
  const seen = `${Math.min(inner.width, even(width * scale))}:${Math.min(inner.height, even(height * scale))}`
  const small = { width: even(width / SMALLER), height: even(height / SMALLER) }
  // A radius has to fit into the colours of the smaller side.
  const radius = Math.max(1, Math.floor(Math.min(small.width, small.height) / 16))
  const behind = `crop=${seen},scale=${small.width}:${small.height},boxblur=lr=${radius}:lp=2:cr=${radius}:cp=2`
  return [
    `split[inner][behind];[behind]${behind},scale=${width}:${height},setsar=1[back];[inner]setsar=1[front];[back][front]overlay=${x}:${y}:format=yuv420`,
  ]
}
