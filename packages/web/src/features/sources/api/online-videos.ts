import type { AddOnlineSourceBody, OnlineSource } from '@siarin/contracts/online'
import { STREAM_TEXTS } from '@siarin/contracts/texts'
import { queryOptions } from '@tanstack/react-query'
import { featureDelete, featureGet, featurePost, pageGet } from '../../../lib/feature-calls.ts'
import { type OnlineStreamData, sortRooms } from '../online-video.ts'

interface Listed<T> {
  success: boolean
  message: string
  data?: T[]
}

export const onlineVideosQuery = () =>
  queryOptions({
    queryKey: ['online-videos'],
    queryFn: async ({ signal }) => {
      const { data = [], message } = await pageGet<Listed<OnlineStreamData>>('/fitur/bigo/live', signal)
      const rooms = sortRooms(data)
      return { ...rooms, message: message || STREAM_TEXTS.found(rooms.live.length) }
    },
  })

/** The HLS addresses that the person has given us. */
export const onlineSourcesQuery = () =>
  queryOptions({
    queryKey: ['online-sources'],
    queryFn: async ({ signal }) => (await featureGet<Listed<OnlineSource>>('/fitur/online', signal)).data ?? [],
  })

export async function addOnlineSource(body: AddOnlineSourceBody): Promise<string> {
  const { message } = await featurePost('/fitur/online/add', body)
  return message
}

export async function removeOnlineSource(id: string): Promise<string> {
  const { message } = await featureDelete(`/fitur/online/${encodeURIComponent(id)}`)
  return message
}
