import { Spinner } from '../components/spinner.tsx'

/** Stands for the moment between the page and the first screen's code. */
export function BootScreen() {
  return (
    <div role="status" className="grid min-h-dvh place-items-center text-ink-soft">
      <span className="sr-only">Memuat…</span>
      <Spinner size={28} />
    </div>
  )
}
