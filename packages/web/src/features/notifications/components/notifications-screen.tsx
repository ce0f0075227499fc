import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { Page } from '../../../components/page.tsx'
import { Tab, TabCount, TabList, TabPanel, Tabs } from '../../../components/tabs.tsx'
import { AccessStopped } from '../../standing/access-stopped.tsx'
import { useStopped } from '../../standing/api/standing.ts'
import { unreadQuery } from '../api/alerts.ts'
import { AllAlerts } from './all-alerts.tsx'
import { ChannelsSection } from './channels-section.tsx'
import { SettingsSection } from './settings-section.tsx'

const TITLE = 'Notifikasi'
const LEAD = 'Siaran yang berhenti malam hari tidak luput: kami yang mengabari Anda.'
/** In the address: what the bell's 'Lihat semua' leads to. */
const PARAMETER = 'tab'
const ALL = 'kabar'
const SETTINGS = 'atur'

function Notifications() {
  const [parameters, setParameters] = useSearchParams()
  const unread = useQuery(unreadQuery()).data?.unread
  const tab = parameters.get(PARAMETER) === ALL ? ALL : SETTINGS
  const [wasSeen, setWasSeen] = useState(false)
  if (tab === SETTINGS && !wasSeen) setWasSeen(true)
  return (
    <Page title={TITLE} lead={LEAD}>
      <Tabs
        value={tab}
        onValueChange={(value) => setParameters(value === ALL ? { [PARAMETER]: ALL } : {}, { replace: true })}
      >
        <TabList aria-label={TITLE} className="sm:w-fit">
          <Tab value={SETTINGS}>Pengaturan</Tab>
          <Tab value={ALL}>
            Semua kabar
            <TabCount count={unread} />
          </Tab>
        </TabList>
        {/* It stays where it is while the other tab is looked at: what was changed and not saved yet is in it. */}
        <TabPanel
          value={SETTINGS}
          {...(wasSeen && { forceMount: true })}
          className="mt-6 grid min-w-0 gap-6 data-[state=inactive]:hidden"
        >
          <ChannelsSection />
          <SettingsSection />
        </TabPanel>
        <TabPanel value={ALL} className="mt-6">
          <AllAlerts />
        </TabPanel>
      </Tabs>
    </Page>
  )
}

export function NotificationsScreen() {
  const stopped = useStopped()
  if (!stopped) return <Notifications />
  return (
    <Page title={TITLE} lead={LEAD}>
      <AccessStopped standing={stopped} />
    </Page>
  )
}
