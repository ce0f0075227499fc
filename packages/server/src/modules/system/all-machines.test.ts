import { describe, expect, it } from 'vitest'
import { asOneMachine } from './all-machines.ts'
import type { HeardMachine } from './machines.repo.ts'

const GB = 1024 ** 3
const own = {
  host: 'here',
  reading: {
    cpu: { usage: 30 },
    memory: { total: 8 * GB, used: 2 * GB, usage: 25 },
    disk: { size: 100 * GB, used: 20 * GB, available: 80 * GB, usage: 20 },
  },
}
const heard = (host: string, more: Partial<HeardMachine> = {}): HeardMachine => ({
  ...{ id: host, role: 'worker', host, version: '0.7.0', cpu: 60, memory_total: 8 * GB, memory_used: 6 * GB },
  ...{ disk_size: 100 * GB, disk_used: 50 * GB, disk_available: 50 * GB, streams: 3, room: 7 },
  ...{ silentMs: 1_000, isGone: false, ...more },
})

describe('[MANY-01] several machines as one', () => {
  it('are this one alone where all programs run on it, and where none has told yet', () => {
    expect(asOneMachine(own, [])).toBeNull()
    expect(asOneMachine(own, [heard('here'), heard('here', { role: 'web' })])).toBeNull()
  })

  it('have the CPU on average, the memory together and the disk of the fullest', () => {
    expect(asOneMachine(own, [heard('here'), heard('b'), heard('c', { cpu: 0.04, disk_used: 10 * GB })])).toEqual({
      cpu: { usage: 30 },
      memory: { total: 24 * GB, used: 14 * GB, usage: 58.3 },
      disk: { size: 100 * GB, used: 50 * GB, available: 50 * GB, usage: 50 },
      machines: { total: 3, gone: 0 },
    })
  })

  it('count a machine once, however many programs run on it, by the one heard last', () => {
    const one = asOneMachine(own, [heard('b', { role: 'web', silentMs: 9_000, cpu: 1 }), heard('b', { cpu: 50 })])
    expect(one).toMatchObject({ cpu: { usage: 40 }, machines: { total: 2, gone: 0 } })
  })

  it('name one that fell silent without its figures', () => {
    const gone = heard('b', { isGone: true, silentMs: 60_000, cpu: 100 })
    expect(asOneMachine(own, [gone])).toEqual({ ...own.reading, machines: { total: 1, gone: 1 } })
    expect(asOneMachine(own, [{ ...gone, silentMs: 700_000 }])).toBeNull()
  })
})
