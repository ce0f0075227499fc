/** By ffprobe's name of the format: how the file is called on disk and what the browser is told. */
const CONTAINERS: readonly { readonly names: RegExp; readonly extension: string; readonly contentType: string }[] = [
  { names: /\b(mov|mp4)\b/, extension: 'mp4', contentType: 'video/mp4' },
  { names: /\bmatroska\b/, extension: 'mkv', contentType: 'video/x-matroska' },
  { names: /\bmpegts\b/, extension: 'ts', contentType: 'video/mp2t' },
  { names: /\bflv\b/, extension: 'flv', contentType: 'video/x-flv' },
  { names: /\bavi\b/, extension: 'avi', contentType: 'video/x-msvideo' },
]

export function containerOf(formatName: string): { extension: string; contentType: string } {
  return (
    CONTAINERS.find(({ names }) => names.test(formatName)) ?? {
      extension: 'bin',
      contentType: 'application/octet-stream',
    }
  )
}
