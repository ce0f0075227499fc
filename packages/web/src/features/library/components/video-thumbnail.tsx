import type { Video } from '@siarin/contracts/videos'
import { Play, Square } from 'lucide-react'
import { type PointerEvent, useContext, useEffect, useRef, useState } from 'react'
import { useReducedMotion } from '../../../lib/use-media.ts'
import { VideoAddressesContext } from '../video-addresses.ts'
import { VideoPicture } from '../video-picture.tsx'

/** A pointer that only passes over the list starts nothing. */
const HOVER_MS = 300

/** Plays the video itself, silently, for as long as it is mounted; then the connection is let go. */
function Preview({ filename }: { filename: string }) {
  const element = useRef<HTMLVideoElement>(null)
  const url = useContext(VideoAddressesContext).play(filename)
  useEffect(() => {
    const video = element.current
    if (!video) return
    video.src = url
    // Refused or gone: the picture below stays visible.
    video.play().catch(() => {})
    return () => {
      video.pause()
      video.removeAttribute('src')
      video.load()
    }
  }, [url])

  return (
    <video
      ref={element}
      muted
      loop
      playsInline
      preload="none"
      aria-hidden
      tabIndex={-1}
      className="absolute inset-0 size-full object-cover"
    />
  )
}

/** The preview's switch: hovering with a mouse, or the small button on touch. */
export function usePreview(video: Video, current: boolean) {
  const still = useReducedMotion()
  const [wanted, setWanted] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  // What the player shows already needs no preview.
  const possible = video.status === 'ready' && !current && !still

  const leave = (): void => {
    clearTimeout(timer.current)
    setWanted(false)
  }
  useEffect(() => () => clearTimeout(timer.current), [])
  useEffect(() => {
    if (possible) return
    clearTimeout(timer.current)
    setWanted(false)
  }, [possible])

  return {
    possible,
    playing: wanted && possible,
    toggle: () => setWanted((before) => !before),
    hover: {
      onPointerEnter: ({ pointerType }: PointerEvent): void => {
        if (pointerType !== 'mouse' || !possible) return
        clearTimeout(timer.current)
        timer.current = setTimeout(() => setWanted(true), HOVER_MS)
      },
      onPointerLeave: ({ pointerType }: PointerEvent): void => {
        if (pointerType === 'mouse') leave()
      },
    },
  }
}

interface VideoThumbnailProps {
  video: Video
  preview: ReturnType<typeof usePreview>
}

export function VideoThumbnail({ video, preview }: VideoThumbnailProps) {
  return (
    <span className="shrink-0" {...preview.hover}>
      <VideoPicture video={video}>{preview.playing && <Preview filename={video.filename} />}</VideoPicture>
    </span>
  )
}

/** Touch has no hover: a small button over the picture's corner, with a finger's room around it. */
export function PreviewButton({ filename, preview }: { filename: string; preview: VideoThumbnailProps['preview'] }) {
  if (!preview.possible) return null
  const Icon = preview.playing ? Square : Play
  return (
    <button
      type="button"
      aria-pressed={preview.playing}
      aria-label={`Cuplikan ${filename}`}
      className="absolute top-[22px] left-[68px] hidden size-11 place-items-center -outline-offset-2 pointer-coarse:grid"
      onClick={preview.toggle}
    >
      <span className="mt-4 ml-4 grid size-6 place-items-center rounded-full bg-black/70 text-white">
        <Icon aria-hidden size={12} strokeWidth={2} fill="currentColor" />
      </span>
    </button>
  )
}
