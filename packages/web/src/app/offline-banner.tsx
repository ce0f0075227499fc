import { ServerOff, WifiOff } from 'lucide-react'
import { useServerSilent } from '../lib/server-silence.ts'
import { useOnline } from '../lib/use-online.ts'

/**
 * On every screen while the browser is offline, or the server does not answer. The status itself is always there, so that readers of the
 * screen hear it change.
 */
export function OfflineBanner() {
  const online = useOnline()
  const serverSilent = useServerSilent()
  const [Icon, words] = online
    ? [ServerOff, 'Server tidak menjawab. Yang tertulis di layar ini mungkin sudah berubah.']
    : [WifiOff, 'Anda sedang offline. Siaran yang sudah tayang tetap berjalan di server.']
  return (
    <div
      role="status"
      data-testid="offline"
      className="pointer-events-none fixed inset-x-3 bottom-[calc(4.25rem+env(safe-area-inset-bottom))] z-40 flex justify-center md:bottom-5"
    >
      {(!online || serverSilent) && (
        <p className="flex animate-rise items-center gap-3 rounded-[12px] border border-warn-line bg-warn-wash px-4 py-3 text-sm font-medium text-warn-ink shadow-soft">
          <Icon aria-hidden size={20} strokeWidth={1.75} className="shrink-0" />
          {words}
        </p>
      )}
    </div>
  )
}
