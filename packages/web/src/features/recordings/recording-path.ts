export const RECORDINGS_PATH = '/fitur/rekaman'

/** Pages are made for whole paths, so the id stands behind the '?'. */
export const recordingPath = (id: string): string => `${RECORDINGS_PATH}?id=${encodeURIComponent(id)}`

/** The recordings of one broadcast: a long one has several. */
export const ofBroadcastPath = (broadcastId: string): string =>
  `${RECORDINGS_PATH}?siaran=${encodeURIComponent(broadcastId)}`
