import { useEffect } from 'react'
import { useRouteError } from 'react-router'
import { Button } from '../components/button.tsx'
import { logError } from '../lib/log.ts'

/** A bug, or a part of the app that could not be fetched (a new version was installed, the network is gone): reloading mends both. */
export function ErrorScreen() {
  const error = useRouteError()
  useEffect(() => logError('A screen failed', error), [error])

  return (
    <main className="grid min-h-dvh place-items-center p-6">
      <div className="max-w-text text-center">
        <h1 className="text-xl font-bold">Halaman ini gagal dimuat</h1>
        <p className="mt-2 text-ink-soft">Periksa koneksi internet Anda, lalu muat ulang halaman.</p>
        <Button className="mt-6" onClick={() => window.location.reload()}>
          Muat ulang
        </Button>
      </div>
    </main>
  )
}
