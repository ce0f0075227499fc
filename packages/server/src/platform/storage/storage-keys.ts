/** While a file is written its name ends so: nobody may take that for a file. */
export const UNFINISHED = '.part'

/** No dot at its beginning: '.' and '..' are folders, and file systems keep names of their own there. */
const NAME = /^[\w-][\w.-]*$/

/** Whether a file or folder of this name could be ours. */
export const isKeyName = (text: string): boolean =>
  NAME.test(text) && !text.includes('..') && !text.endsWith(UNFINISHED)

/** Whether it names one file. No key leads out of the storage, and no two keys lead to one file. */
export const isKey = (text: string): boolean => text.split('/').every(isKeyName)

/** Whether it names one file, or, with a '/' at its end, all that lies below it. It never names everything. */
export const isPrefix = (text: string): boolean => isKey(text.endsWith('/') ? text.slice(0, -1) : text)

/** Whether the removal of a key or prefix takes this one along. */
export const isTakenBy = (key: string, keyOrPrefix: string): boolean =>
  key === keyOrPrefix || (keyOrPrefix.endsWith('/') && key.startsWith(keyOrPrefix))
