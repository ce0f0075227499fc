import type { ReactNode } from 'react'
import { Outlet } from 'react-router'
import { BottomBar } from '../navigation/bottom-bar.tsx'
import { Header } from '../navigation/header.tsx'

interface PageFrameProps {
  /** At the right end of the header. */
  menus: ReactNode
  /** The fourth tab of the bottom bar. */
  lastTab: ReactNode
}

/** Header plus page area; on small screens the bottom bar too. */
export function PageFrame({ menus, lastTab }: PageFrameProps) {
  return (
    <div className="flex min-h-dvh flex-col" data-layout="main">
      <a
        href="#content"
        className="sr-only z-50 rounded-control bg-accent text-sm font-semibold text-on-accent focus:not-sr-only focus:fixed focus:top-3 focus:left-3 focus:px-4 focus:py-2"
      >
        Lewati ke isi
      </a>
      <Header>{menus}</Header>
      <main id="content" tabIndex={-1} className="flex-1 outline-none max-md:pb-20">
        <Outlet />
      </main>
      <BottomBar lastTab={lastTab} />
    </div>
  )
}
