import { describe, expect, it } from 'vitest'
import { createStreamMeter } from './stream-meter.ts'

/** An ffmpeg that sends 250 kB and 30 frames for each second of its video, at a pace, and is read every second. */
function stage(pace = () => 1) {
  let now = 0
  let playedMs = 0
  const meter = createStreamMeter(() => now)
  meter.phase('s', 'live')
  return {
    meter,
    pass(seconds: number, pid = 7) {
      for (let second = 0; second < seconds; second++) {
        now += 1000
        playedMs += 1000 * pace()
        const frames = Math.round(playedMs * 0.03)
        meter.read('s', { pid, totalBytes: playedMs * 250, frames, outTimeMs: playedMs, unsentBytes: 42 })
      }
    },
    begin: () => {
      playedMs = 0
    },
  }
}

describe('[STAT-01] the meter of a stream', () => {
  it('tells the rates of the last seconds', () => {
    const { meter, pass } = stage()
    pass(5)
    expect(meter.take()).toMatchObject([{ streamId: 's', phase: 'live', bitrateKbps: 2000, fps: 30, unsentBytes: 42 }])
    pass(5)
    expect(meter.take()).toMatchObject([{ bitrateKbps: 2000, fps: 30, speed: 1 }])
  })
  it('sees a line that cannot keep up, and one that stands still', () => {
    let pace = 0.5
    const { meter, pass } = stage(() => pace)
    pass(20)
    expect(meter.take()).toMatchObject([{ bitrateKbps: 1000, fps: 15, speed: 0.5 }])
    pace = 0
    pass(5)
    expect(meter.take()).toMatchObject([{ bitrateKbps: 0, fps: 0 }])
  })
  it('begins anew with each ffmpeg', () => {
    const { meter, pass, begin } = stage()
    pass(60)
    meter.take()
    begin()
    pass(1, 8)
    expect(meter.take()).toMatchObject([{ bitrateKbps: null, speed: null }])
    pass(5, 8)
    expect(meter.take()).toMatchObject([{ bitrateKbps: 2000, fps: 30 }])
  })
  it('has no rates of what is off air, and forgets what is over', () => {
    const { meter, pass } = stage()
    pass(10)
    meter.phase('s', 'waiting')
    expect(meter.take()).toEqual([
      { streamId: 's', phase: 'waiting', bitrateKbps: null, fps: null, speed: null, unsentBytes: 0 },
    ])
    meter.drop('s')
    pass(1)
    expect(meter.take()).toEqual([])
  })
})
