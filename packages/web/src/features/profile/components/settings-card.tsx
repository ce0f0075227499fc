import { useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { Card, CardHeading } from '../../../components/card.tsx'
import { DeleteAccountDialog } from './delete-account-dialog.tsx'
import { PasswordDialog } from './password-dialog.tsx'
import { UsernameDialog } from './username-dialog.tsx'

interface RowProps {
  title: string
  text: string
  action: string
  look?: 'secondary' | 'danger'
  onAct: () => void
}

function Row({ title, text, action, look = 'secondary', onAct }: RowProps) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3">
      <div className="min-w-0">
        <p className="text-sm font-semibold">{title}</p>
        <p className="text-xs text-ink-soft">{text}</p>
      </div>
      <Button look={look} size="small" onClick={onAct}>
        {action}
      </Button>
    </li>
  )
}

/** What the person changes about the account itself. */
export function SettingsCard({ username }: { username: string }) {
  const [open, setOpen] = useState<'username' | 'password' | 'delete' | null>(null)
  const close = (): void => setOpen(null)
  return (
    <Card className="p-6">
      <CardHeading title="Pengaturan akun" />
      <ul className="mt-2 divide-y divide-line">
        <Row
          title="Username"
          text="Nama yang tampil di akun Anda."
          action="Ganti username"
          onAct={() => setOpen('username')}
        />
        <Row
          title="Password"
          text="Perangkat lain harus login lagi, dan API key ikut diganti."
          action="Ganti password"
          onAct={() => setOpen('password')}
        />
        <Row
          title="Hapus akun"
          text="Akun, video, dan semua datanya dihapus."
          action="Hapus akun"
          look="danger"
          onAct={() => setOpen('delete')}
        />
      </ul>
      {open === 'username' && <UsernameDialog username={username} onClose={close} />}
      {open === 'password' && <PasswordDialog onClose={close} />}
      {open === 'delete' && <DeleteAccountDialog username={username} onClose={close} />}
    </Card>
  )
}
