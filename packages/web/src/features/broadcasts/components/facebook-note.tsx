import { Info } from 'lucide-react'

export function FacebookNote() {
  return (
    <p role="note" className="flex gap-2.5 rounded-control bg-warn-wash px-3.5 py-3 text-xs text-warn-ink">
      <Info aria-hidden size={16} strokeWidth={1.75} className="shrink-0" />
      <span className="text-pretty">
        Aturan Facebook melarang rekaman yang diputar berulang terus-menerus: siarannya bisa dihentikan. Di Facebook
        siarkan sumber yang sungguh langsung, atau hentikan begitu videonya selesai. Untuk siaran 24 jam pakai YouTube.
      </span>
    </p>
  )
}
