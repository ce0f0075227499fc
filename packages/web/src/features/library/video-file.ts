import { VIDEO_TEXTS } from '@siarin/contracts/texts'

/** Systems know no type for some of these, or a wrong one; the server looks into the file anyway. */
const VIDEO_ENDING = /\.(mp4|m4v|mkv|mov|flv|m?ts|m2ts|webm|avi|wmv|mpe?g|3gp|ogv|vob)$/i

/** What keeps a chosen file from being sent; null: nothing that the browser can see. */
export function refusalOf(file: Pick<File, 'name' | 'type' | 'size'> | undefined): string | null {
  if (!file) return VIDEO_TEXTS.pickFile
  const isVideo = file.type.startsWith('video/') || VIDEO_ENDING.test(file.name)
  if (!isVideo) return VIDEO_TEXTS.pickFile
  return file.size === 0 ? VIDEO_TEXTS.empty : null
}

/** For the browser's file dialog, which goes by the same types. */
export const ACCEPTED_FILES = 'video/*,.mkv,.flv,.ts,.mts,.m2ts,.vob'
