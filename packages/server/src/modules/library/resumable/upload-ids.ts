import { randomUUID } from 'node:crypto'

/** Nothing else is an upload of ours, above all not the records that lie beside the files. */
const UPLOAD_ID = /^[\w-]+~[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/

/** An upload's id says whose it is and which video it becomes, so that finishing it twice makes one video. */
export const newUploadId = (userId: string): string => uploadIdOf(userId, randomUUID())

export const uploadIdOf = (userId: string, videoId: string): string => `${userId}~${videoId}`

export const isUploadId = (text: string): boolean => UPLOAD_ID.test(text)

export function splitUploadId(uploadId: string): { userId: string; videoId: string } {
  const [userId = '', videoId = ''] = uploadId.split('~')
  return { userId, videoId }
}
