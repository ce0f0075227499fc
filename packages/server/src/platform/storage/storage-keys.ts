/** While a file is written its name ends so: nobody may take that for a file. */
export const UNFINISHED = '.part'

/** No dot at its beginning: '.' and '..' are folders, and file systems keep names of their own there. */
const NAME = /^[\w-][\w.-]*$/

/** Whether a file or folder of this name could be ours. */
export const isKeyName = (text: string): boolean =>
  NAME.test(text) && !text.includes('..') && !text.endsWith(UNFINISHED)

/** Of one file. No key leads out of the storage, and no two keys lead to one file. */
export const isKey = (text: string): boolean => text.split('/').every(isKeyName)

/** Of one file, or, with a '/' at its end, of all that lies below it. Never of everything. */
export const isPrefix = (text: string): boolean => isKey(text.endsWith('/') ? text.slice(0, -1) : text)
