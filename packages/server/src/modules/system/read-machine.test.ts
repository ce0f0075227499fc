import { tmpdir } from 'node:os'
import { describe, expect, it } from 'vitest'
import { mountOf, percent, readCpuTimes, readDisk, readMemory, readMount } from './read-machine.ts'

const MOUNTS = [
  'proc /proc proc rw,relatime 0 0',
  'overlay / overlay rw 0 0',
  '/dev/vda1 / ext4 rw,relatime 0 0',
  '/dev/vdb /data xfs rw 0 0',
  '/dev/vdc /data/media\\040besar btrfs rw 0 0',
  '',
].join('\n')

describe('the mount of a folder', () => {
  it.each([
    ['/srv/siarin', '/dev/vda1', 'ext4'],
    ['/', '/dev/vda1', 'ext4'],
    ['/data', '/dev/vdb', 'xfs'],
    ['/data/siarin', '/dev/vdb', 'xfs'],
    ['/database', '/dev/vda1', 'ext4'],
    ['/data/media besar/x', '/dev/vdc', 'btrfs'],
  ])('%s lies on %s', (path, filesystem, type) => {
    expect(mountOf(path, MOUNTS)).toEqual({ filesystem, type })
  })

  it('is not guessed where the system does not tell', () => {
    expect(mountOf('/data', '')).toBeNull()
    expect(mountOf('/data', '/dev/vda1')).toBeNull()
    expect(mountOf('/data', 'proc /proc proc rw 0 0')).toBeNull()
  })
})

describe('a percentage', () => {
  it('has one decimal and stays between 0 and 100', () => {
    expect([percent(1, 3), percent(0, 0), percent(7, 5), percent(-1, 5)]).toEqual([33.3, 0, 100, 0])
  })
})

describe('this machine', () => {
  it('has been busy for a part of its time', () => {
    const { busyMs, allMs } = readCpuTimes()
    expect(busyMs).toBeGreaterThan(0)
    expect(allMs).toBeGreaterThan(busyMs)
    const later = readCpuTimes()
    expect(later.busyMs).toBeGreaterThanOrEqual(busyMs)
    expect(later.allMs - later.busyMs).toBeGreaterThanOrEqual(allMs - busyMs)
  })

  it('uses a part of its memory', () => {
    const { total, used } = readMemory()
    expect(used).toBeGreaterThan(0)
    expect(used).toBeLessThan(total)
  })

  it('uses a part of its disk, and no more of it than there is', async () => {
    const { size, used, available, usage } = await readDisk(tmpdir())
    expect(used).toBeGreaterThan(0)
    expect(used).toBeLessThanOrEqual(size)
    expect(usage).toBeGreaterThanOrEqual(percent(used, size))
    expect(usage).toBeLessThanOrEqual(100)
    expect(used + available).toBeLessThanOrEqual(size)
    expect(usage).toBe(percent(used, used + available))
  })

  it('tells what is mounted at its root', async () => {
    const { filesystem, type } = await readMount('/')
    expect([filesystem, type]).not.toContain('')
  })
})
