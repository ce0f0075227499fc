import { type Location, Outlet, ScrollRestoration } from 'react-router'
import { NavigationProgress } from '../navigation/navigation-progress.tsx'
import { OfflineBanner } from '../offline-banner.tsx'
import { RouteMetadataKeeper } from '../route-metadata.tsx'

/** The page that a tab opens with has no key of its own: without its address, two of them would share one place in the text. */
const scrollKey = ({ key, pathname, hash }: Location): string => (key === 'default' ? pathname + hash : key)

/** What every screen has, whatever its layout. */
export function RootLayout() {
  return (
    <>
      <RouteMetadataKeeper />
      <NavigationProgress />
      <Outlet />
      <OfflineBanner />
      <ScrollRestoration getKey={scrollKey} />
    </>
  )
}
