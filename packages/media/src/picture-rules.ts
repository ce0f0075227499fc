import type { VideoFacts } from './parse/probe.ts'

export type ColourMatrix = 'bt601' | 'bt709' | 'bt2020'

/** No encoder profile in use takes a longer side, and no platform shows one. */
const LONGEST_SIDE = 4096

/** Broadcast and film formats lie between 8:11 and 2:1; anything far beyond is a damaged header. */
const ODDEST_PIXEL = 4

/** What players assume where a file does not say: SD is BT.601, HD is BT.709. */
const FIRST_HD_HEIGHT = 720

/** The upright size with square pixels, scaled down where its shorter side exceeds `maxHeight`; both sides even. */
export function fittedSize(video: VideoFacts, maxHeight: number): { width: number; height: number } {
  const aspect = pixelShape(video.sampleAspect)
  const stored = { width: (video.width ?? 2) * aspect, height: video.height ?? 2 }
  const { width, height } = isOnItsSide(video.rotation) ? { width: stored.height, height: stored.width } : stored
  const scale = Math.min(1, maxHeight / Math.min(width, height), LONGEST_SIDE / Math.max(width, height))
  return { width: even(width * scale), height: even(height * scale) }
}

/** The upright picture in a frame of another shape: as large as fits, both sides even, so that it can stand in the middle. */
export function sizeWithin(
  video: VideoFacts,
  frame: { readonly width: number; readonly height: number },
): { width: number; height: number } {
  const { width, height } = fittedSize(video, Number.POSITIVE_INFINITY)
  const scale = Math.min(frame.width / width, frame.height / height)
  const side = (length: number, most: number): number =>
    Math.min(most, Math.max(2, Math.round((length * scale) / 2) * 2))
  return { width: side(width, frame.width), height: side(height, frame.height) }
}

/** ffmpeg turns the picture by quarters itself when it decodes (autorotate). */
const isOnItsSide = (rotation: number | null): boolean => Math.abs((Math.abs(rotation ?? 0) % 180) - 90) < 1

function pixelShape(sampleAspect: string | null): number {
  const [across = 1, down = 1] = (sampleAspect ?? '1:1').split(':').map(Number)
  const shape = across / down
  return shape >= 1 / ODDEST_PIXEL && shape <= ODDEST_PIXEL ? shape : 1
}

/** Down, so that nothing grows beyond a limit; a hair is added first, since 1080 may have become 1079.9999. */
const even = (side: number): number => Math.max(2, Math.floor((side + 0.001) / 2) * 2)

export function colourMatrixOf({ matrix, height }: VideoFacts): ColourMatrix {
  if (matrix === 'bt709') return 'bt709'
  if (matrix?.startsWith('bt2020')) return 'bt2020'
  if (matrix === 'smpte170m' || matrix === 'bt470bg') return 'bt601'
  return (height ?? 0) >= FIRST_HD_HEIGHT ? 'bt709' : 'bt601'
}
