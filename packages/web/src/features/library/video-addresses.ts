import { createContext } from 'react'
import { playUrl, thumbnailUrl } from './api/videos.ts'

interface VideoAddresses {
  readonly play: (source: string) => string
  readonly picture: (filename: string) => string
}

/** Where the rows find a video and its picture: at the person's own server, unless a screen says otherwise. */
export const VideoAddressesContext = createContext<VideoAddresses>({ play: playUrl, picture: thumbnailUrl })
