import { fileUrl } from './input.ts'

/** Enough for two fifths of a 4K picture to look right. */
export const LOGO_SIDE = 1280

interface LogoPaths {
  readonly input: string
  readonly output: string
  readonly isSvg: boolean
}

const QUIET = ['-nostdin', '-hide_banner', '-nostats', '-loglevel', 'error', '-y']
const MOST_BYTES_AT_ONCE = 128 * 1024 ** 2

const safeInput = (input: string, decoder: string, format: string): string[] => [
  ...['-max_alloc', String(MOST_BYTES_AT_ONCE), '-codec_whitelist', decoder],
  ...['-protocol_whitelist', 'file', '-format_whitelist', format, '-f', format],
  ...['-i', fileUrl(input)],
]

const onePng = (filters: readonly string[], output: string): string[] => [
  ...['-frames:v', '1', '-map_metadata', '-1', '-vf', filters.join(',')],
  ...['-c:v', 'png', '-pix_fmt', 'rgba', '-f', 'image2', '-update', '1', fileUrl(output)],
]

/** ffmpeg takes what librsvg draws as it is: with colours that its alpha has been multiplied into. */
const DRAWN = ['format=gbrap', 'unpremultiply=inplace=1', 'format=rgba']

/** A drawing as large as it is to be. */
export const drawArgs = (
  { input, output }: Pick<LogoPaths, 'input' | 'output'>,
  { width, height }: { readonly width: number; readonly height: number },
): string[] => [
  ...QUIET,
  ...['-width', String(width), '-height', String(height)],
  ...safeInput(input, 'librsvg', 'svg_pipe'),
  ...onePng(DRAWN, output),
]

/** Prints where there is anything in a drawing, as `lavfi.bbox.w` and its like. */
export const measureArgs = (
  input: string,
  { width, height }: { readonly width: number; readonly height: number },
): string[] => [
  ...QUIET,
  ...['-width', String(width), '-height', String(height)],
  ...safeInput(input, 'librsvg', 'svg_pipe'),
  ...['-frames:v', '1', '-vf', 'format=rgba,alphaextract,bbox=min_val=8,metadata=mode=print:file=-', '-f', 'null', '-'],
]

/** A picture or a drawing as a PNG with alpha, of our own making and no larger than LOGO_SIDE. */
export const logoArgs = ({ input, output, isSvg }: LogoPaths): string[] =>
  isSvg
    ? drawArgs({ input, output }, { width: LOGO_SIDE, height: LOGO_SIDE })
    : [
        ...QUIET,
        ...safeInput(input, 'png', 'png_pipe'),
        ...onePng(
          [
            'format=gbrap',
            'premultiply=inplace=1',
            `scale=w='min(${LOGO_SIDE},iw)':h='min(${LOGO_SIDE},ih)':force_original_aspect_ratio=decrease:flags=area`,
            'unpremultiply=inplace=1',
            'format=rgba',
          ],
          output,
        ),
      ]
