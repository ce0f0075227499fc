import { render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { SecretDialog } from './secret-dialog.tsx'

const AT = '2026-11-16T12:00:00.000Z'
const MADE = {
  ...{ success: true, message: '', secret: 'whsec_c2VjcmV0' },
  data: {
    ...{ id: 'w1', url: 'https://a.example/h', description: '', events: [], state: 'active' as const },
    ...{ stateReason: null, notice: null, warning: null, createdAt: AT, oldSecretUntil: null, waiting: 0 },
    ...{ lastDeliveredAt: null, failingSince: null, dropped: null },
  },
}

it('[HOOK-01] a secret that is shown once stays until somebody says that it is kept', async () => {
  const onClose = vi.fn()
  render(<SecretDialog made={MADE} onClose={onClose} />)
  const user = userEvent.setup()
  await user.keyboard('{Escape}')
  expect(screen.queryByRole('button', { name: 'Tutup' })).toBeNull()
  expect(onClose).not.toHaveBeenCalled()
  await user.click(screen.getByRole('button', { name: 'Sudah saya simpan' }))
  expect(onClose).toHaveBeenCalledOnce()
})
