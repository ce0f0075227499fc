import type { Video } from '@siarin/contracts/videos'
import { useQueryClient } from '@tanstack/react-query'
import { Stamp } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { BrandVersionDialog } from '../branding/brand-version-dialog.tsx'
import { thumbnailUrl, videosQuery } from './api/videos.ts'

interface BrandVersionButtonProps {
  video: Video
  label?: string
  shape?: 'own' | 'upright'
}

/** Opens the dialog for one video. Nothing, where the server makes no versions or the video cannot have one yet. */
export function BrandVersionButton({
  video,
  label = 'Buat versi dengan brand',
  shape = 'own',
}: BrandVersionButtonProps) {
  const queryClient = useQueryClient()
  const [open, setOpen] = useState(false)
  const { filename, width, height, hasThumbnail } = video
  if (!video.renditions || video.status !== 'ready' || !width || !height) return null
  return (
    <>
      <Button look="secondary" size="small" onClick={() => setOpen(true)}>
        <Stamp aria-hidden size={16} strokeWidth={1.75} />
        {label}
      </Button>
      {open && (
        <BrandVersionDialog
          video={{ filename, width, height }}
          picture={hasThumbnail ? thumbnailUrl(filename) : null}
          shape={shape}
          onClose={() => setOpen(false)}
          onOrdered={() => queryClient.invalidateQueries({ queryKey: videosQuery().queryKey })}
        />
      )}
    </>
  )
}
