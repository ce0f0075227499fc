import { Outlet } from 'react-router'

/** Page area only. */
export function PublicLayout() {
  return (
    <main className="min-h-dvh" data-layout="public">
      <Outlet />
    </main>
  )
}
