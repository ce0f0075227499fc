import type { Video } from '@siarin/contracts/videos'
import { Film } from 'lucide-react'
import { type ReactNode, useContext, useState } from 'react'
import { VideoAddressesContext } from './video-addresses.ts'

interface VideoPictureProps {
  video: Pick<Video, 'filename' | 'hasThumbnail'>
  children?: ReactNode
}

/** The picture of a video, or its sign where there is none. */
export function VideoPicture({ video, children }: VideoPictureProps) {
  const [broken, setBroken] = useState(false)
  const addresses = useContext(VideoAddressesContext)
  return (
    <span className="relative grid h-[54px] w-24 shrink-0 place-items-center overflow-hidden rounded-[8px] bg-pressed text-ink-soft">
      {video.hasThumbnail && !broken ? (
        <img
          src={addresses.picture(video.filename)}
          alt=""
          width={96}
          height={54}
          loading="lazy"
          decoding="async"
          className="size-full object-cover"
          onError={() => setBroken(true)}
        />
      ) : (
        <Film aria-hidden size={20} strokeWidth={1.75} />
      )}
      {children}
    </span>
  )
}
