import { DECODER_LIMITS, fileUrl, SAFE_INPUT } from './input.ts'

export interface Thumbnail {
  input: string
  atSeconds: number
  output: string
}

const MAX_WIDTH = 480

/** One JPEG of the moment. Seeking before the input goes by key frames, so that a day of video costs no more than a minute. */
export const thumbnailArgs = ({ input, atSeconds, output }: Thumbnail): string[] => [
  '-nostdin',
  '-hide_banner',
  '-nostats',
  ...['-loglevel', 'error'],
  '-y',
  ...['-ss', Math.max(0, atSeconds).toFixed(3)],
  ...DECODER_LIMITS,
  ...SAFE_INPUT,
  ...['-i', fileUrl(input)],
  ...['-map', '0:V:0', '-frames:v', '1', '-map_metadata', '-1'],
  ...['-vf', `scale=w='min(${MAX_WIDTH},trunc(iw*sar/2)*2)':h=-2,setsar=1,format=yuvj420p`],
  ...['-c:v', 'mjpeg', '-q:v', '4', '-f', 'image2', '-update', '1', fileUrl(output)],
]
