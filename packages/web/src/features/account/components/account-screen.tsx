import { ACCOUNT_KINDS } from '@siarin/contracts/accounts'
import { useState } from 'react'
import { Card } from '../../../components/card.tsx'
import { MessageBanner } from '../../../components/message-banner.tsx'
import { Page } from '../../../components/page.tsx'
import { Tab, TabList, TabPanel, Tabs } from '../../../components/tabs.tsx'
import { AccessStopped } from '../../standing/access-stopped.tsx'
import { useStopped } from '../../standing/api/standing.ts'
import { KIND_FACTS } from '../account-kinds.ts'
import { useMessage } from '../use-message.ts'
import { AccountList } from './account-list.tsx'
import { AddAccountForm } from './add-account-form.tsx'
import { SecurityTips } from './security-tips.tsx'

const ADD = 'add'

const TITLE = 'Account'
const LEAD = 'Akun Bigo dan TikTok yang dipakai untuk siaran.'

function Accounts() {
  const [tab, setTab] = useState<string>(ADD)
  const [message, say] = useMessage()
  return (
    <Page title={TITLE} lead={LEAD}>
      <MessageBanner message={message} />
      <div className="grid items-start gap-6 lg:grid-cols-3">
        <Card className="min-w-0 overflow-clip lg:col-span-2">
          {/* Arrow keys only walk: opening a list asks the server. */}
          <Tabs value={tab} onValueChange={setTab} activationMode="manual">
            <TabList aria-label="Akun">
              <Tab value={ADD}>Add Account</Tab>
              {ACCOUNT_KINDS.map((kind) => (
                <Tab key={kind} value={kind}>
                  {KIND_FACTS[kind].label}
                </Tab>
              ))}
            </TabList>
            <TabPanel value={ADD}>
              <AddAccountForm say={say} />
            </TabPanel>
            {ACCOUNT_KINDS.map((kind) => (
              <TabPanel key={kind} value={kind}>
                <AccountList kind={kind} say={say} onAdd={() => setTab(ADD)} />
              </TabPanel>
            ))}
          </Tabs>
        </Card>
        <SecurityTips />
      </div>
    </Page>
  )
}

export function AccountScreen() {
  const stopped = useStopped()
  if (!stopped) return <Accounts />
  return (
    <Page title={TITLE} lead={LEAD}>
      <AccessStopped standing={stopped} />
    </Page>
  )
}
