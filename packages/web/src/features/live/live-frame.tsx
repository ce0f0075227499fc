import type { ReactNode } from 'react'
import { Card } from '../../components/card.tsx'
import { MessageBanner } from '../../components/message-banner.tsx'
import { Tab as TabButton, TabCount, TabList, TabPanel, Tabs } from '../../components/tabs.tsx'
import { type LiveState, TABS, type Tab } from './state.ts'

const TAB_LABELS: Record<Tab, string> = { lokal: 'Lokal', bigo: 'Bigo', live: 'Live', go: 'Go' }

interface LiveFrameProps {
  message: LiveState['message']
  /** A panel shows the message itself. */
  messageInPanel?: boolean
  onMessageClosed?: () => void
  tab: Tab
  /** How many each list has, where that is known: one that scrolls does not show it by itself. */
  counts?: Partial<Record<Tab, number | undefined>>
  onTab: (tab: Tab) => void
  player: ReactNode
  panels: Readonly<Record<Tab, ReactNode>>
  upload: ReactNode
}

/** Where everything stands: on a desk the player and the upload area beside the panel, on a phone one below the other. */
export function LiveFrame(props: LiveFrameProps) {
  const { message, messageInPanel = false, onMessageClosed, tab, counts = {}, onTab, player, panels, upload } = props
  return (
    <>
      {!messageInPanel && (
        <MessageBanner message={message} place={tab === 'go' ? 'raised' : 'floating'} onClose={onMessageClosed} />
      )}
      <div className="grid items-start gap-4 lg:grid-cols-12 lg:grid-rows-[auto_1fr] lg:gap-x-6">
        <div className="min-w-0 lg:col-span-7">{player}</div>
        <Card className="min-w-0 overflow-clip lg:col-span-5 lg:row-span-2">
          <Tabs value={tab} activationMode="manual" onValueChange={(value) => onTab(value as Tab)}>
            <TabList aria-label="Sumber dan siaran" className="sticky top-14 z-10 bg-card md:static">
              {TABS.map((value) => (
                <TabButton key={value} value={value}>
                  {TAB_LABELS[value]}
                  <TabCount count={counts[value]} />
                </TabButton>
              ))}
            </TabList>
            {TABS.map((value) => (
              <TabPanel key={value} value={value}>
                {panels[value]}
              </TabPanel>
            ))}
          </Tabs>
        </Card>
        <div className="min-w-0 lg:col-span-7">{upload}</div>
      </div>
    </>
  )
}
