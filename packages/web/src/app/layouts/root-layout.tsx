import { Outlet, ScrollRestoration } from 'react-router'
import { NavigationProgress } from '../navigation/navigation-progress.tsx'
import { OfflineBanner } from '../offline-banner.tsx'
import { RouteMetadataKeeper } from '../route-metadata.tsx'

/** What every screen has, whatever its layout. */
export function RootLayout() {
  return (
    <>
      <RouteMetadataKeeper />
      <NavigationProgress />
      <Outlet />
      <OfflineBanner />
      <ScrollRestoration />
    </>
  )
}
