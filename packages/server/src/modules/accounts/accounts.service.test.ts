import { Secret } from '@siarin/media/secret'
import { expect, it, vi } from 'vitest'
import type { Sealer } from '../../platform/secrets/seal.ts'
import type { AccountRow, AccountsRepo } from './accounts.repo.ts'
import { createAccountsService } from './accounts.service.ts'

const caller = { userId: 'somebody', workspaceId: 'their team', role: 'owner' } as const
const visitor = { address: '203.0.113.7', device: 'Peramban' }

it('accounts are those of the workspace, and what was done is noted of who did it', async () => {
  const rows: AccountRow[] = []
  const ofWorkspace = async (workspaceId: string) => rows.filter((row) => row.user_id === workspaceId)
  const repo: AccountsRepo = {
    insertWithin: async (row) => rows.push(row) > 0,
    ofUser: ofWorkspace,
    count: async (workspaceId) => (await ofWorkspace(workspaceId)).length,
    hasCredential: async (workspaceId) => (await ofWorkspace(workspaceId)).length > 0,
    byId: async (workspaceId, _, id) => (await ofWorkspace(workspaceId)).find((row) => row.id === id) ?? null,
    remove: async (workspaceId, _, id) => (await ofWorkspace(workspaceId)).find((row) => row.id === id) ?? null,
  }
  const record = vi.fn(async () => {})
  const sealer = { seal: () => 'sealed', open: () => new Secret('site'), mark: () => 'mark' } as unknown as Sealer
  const service = createAccountsService({
    repo,
    sealer,
    clock: { now: () => 0 },
    activity: { record },
    check: async () => 'added',
    isInUse: async () => false,
  })
  const { account } = await service.add(caller, { kind: 'bigo', name: 'Panggung', credential: 'site' }, visitor)
  expect(rows.map((row) => row.user_id)).toEqual(['their team'])
  expect(record).toHaveBeenCalledWith(expect.objectContaining({ userId: 'somebody', kind: 'account-added' }))
  const colleague = { ...caller, userId: 'a colleague' }
  expect(await service.list(colleague, 'bigo')).toEqual([account])
  expect(await service.list({ ...caller, workspaceId: 'another team' }, 'bigo')).toEqual([])
  await service.remove(colleague, 'bigo', account.account_id, visitor)
  expect(record).toHaveBeenLastCalledWith(expect.objectContaining({ userId: 'a colleague', kind: 'account-removed' }))
})
