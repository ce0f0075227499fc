import { BROADCAST_TEXTS } from '@siarin/contracts/broadcast-texts'
import type { TargetBody } from '@siarin/contracts/broadcasts'
import { Secret } from '@siarin/media/secret'
import { describe, expect, it } from 'vitest'
import { createSealer } from '../../../platform/secrets/seal.ts'
import { asOwner } from '../../identity/caller.ts'
import type { StreamRow } from '../store/streams.repo.ts'
import { createSpecifyTargets, type ResolveTargets } from './specify-targets.ts'

const sealer = createSealer(new Secret('x'.repeat(32)))
const caller = asOwner('somebody')
const typed = (rtmpStream: string): TargetBody => ({ platform: 'lain', rtmpStream })
const saved = (targetId: string): TargetBody => ({ targetId, rtmpStream: '' })

function specifier(resolveTargets: ResolveTargets = async () => []) {
  let underWay = 0
  const seen = { most: 0, asked: [] as string[][] }
  const specify = createSpecifyTargets({
    sealer,
    repo: {
      byId: async (id) =>
        ({
          user_id: id === 'own' ? 'somebody' : 'else',
          target_sealed: sealer.seal(new Secret('rtmp://earlier.test/a/k')),
          target_id: 't',
          target_name: 'Toko',
        }) as StreamRow,
    },
    resolveTargets: (workspaceId, ids) => {
      seen.asked.push([workspaceId, ...ids])
      return resolveTargets(workspaceId, ids)
    },
    async resolveTarget(_platform, url) {
      seen.most = Math.max(seen.most, ++underWay)
      await new Promise((resolve) => setTimeout(resolve, 1))
      underWay--
      return { url, host: new URL(url.reveal()).hostname }
    },
  })
  return { specify, seen }
}

describe('the targets of a broadcast', () => {
  it('[TGT-03] are typed ones and saved ones, in the order in which they were named', async () => {
    const { specify, seen } = specifier(async (_workspace, ids) =>
      ids.map((id) => ({ id, name: `Nama ${id}`, platform: 'youtube', address: new Secret(`rtmp://${id}.test/a/k`) })),
    )
    const specs = await specify(caller, [saved('satu'), typed('rtmp://dua.test/a/k'), saved('tiga')])
    expect(specs.map(({ platform, host, id, name }) => [platform, host, id, name])).toEqual([
      ['youtube', 'satu.test', 'satu', 'Nama satu'],
      ['lain', 'dua.test', null, null],
      ['youtube', 'tiga.test', 'tiga', 'Nama tiga'],
    ])
    expect(seen.asked).toEqual([['somebody', 'satu', 'tiga']])
    expect(JSON.stringify(specs)).not.toContain('/a/k')
  })

  it('are refused where two are the same, also where one is typed and one is saved', async () => {
    const address = 'rtmp://sama.test/a/k'
    const { specify } = specifier(async () => [{ id: 's', name: 'S', platform: 'lain', address: new Secret(address) }])
    await expect(specify(caller, [typed(address), saved('s')])).rejects.toThrow(BROADCAST_TEXTS.targetTwice)
    await expect(specify(caller, [saved('s'), saved('s')])).rejects.toThrow(BROADCAST_TEXTS.targetTwice)
  })

  it('are refused where one is not there, or is kept by somebody else', async () => {
    await expect(specifier(async () => []).specify(caller, [saved('x')])).rejects.toThrow(
      BROADCAST_TEXTS.targetNotFound,
    )
    await expect(specifier().specify(caller, [saved('x')])).rejects.toThrow(BROADCAST_TEXTS.targetNotFound)
    const again = (targetOf: string): TargetBody => ({ platform: 'lain', rtmpStream: '', targetOf })
    await expect(specifier().specify(caller, [again('theirs')])).rejects.toMatchObject({ code: 'stream_not_found' })
    expect(await specifier().specify(caller, [again('own')])).toMatchObject([{ host: 'earlier.test', name: 'Toko' }])
  })

  it('have their addresses looked up a few at a time', async () => {
    const { specify, seen } = specifier()
    const specs = await specify(
      caller,
      Array.from({ length: 20 }, (_, index) => typed(`rtmp://host${index}.test/a/k`)),
    )
    expect(specs.map(({ host }) => host)).toEqual(Array.from({ length: 20 }, (_, index) => `host${index}.test`))
    expect(seen.most).toBeLessThanOrEqual(4)
  })
})
