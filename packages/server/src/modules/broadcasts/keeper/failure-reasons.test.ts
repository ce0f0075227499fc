import { STREAM_REASON_TEXTS, streamReasonText } from '@siarin/contracts/stream-reason-texts'
import { nobodyAnswered, STREAM_REASONS, type StreamReason } from '@siarin/media/parse/exit-reason'
import { initialState, type StreamState } from '@siarin/media/stream-state'
import { describe, expect, it } from 'vitest'
import { after, around, FRESH, START } from '../../../../test/support/keeper-events.ts'
import { DatabaseAwayError, StoreAwayError } from '../../../errors.ts'
import { EgressRefused } from '../../../platform/egress/egress.ts'
import { CacheFullError } from '../../../platform/storage/cache-full-error.ts'
import {
  EncodersFullError,
  PlaylistUnplayableError,
  SourceAwayError,
  SourceMissingError,
} from '../sequence/source-errors.ts'
import { startFailure } from './failure-reasons.ts'
import { shownReason } from './shown-reason.ts'

const withCode = (code: string): Error => Object.assign(new Error('?'), { code })

describe('why an ffmpeg could not be started', () => {
  it.each([
    ['a video that is gone', new SourceMissingError(), 'source-missing'],
    ['an online source that sends nothing', new SourceAwayError(), 'source-away'],
    ['a machine that can encode no more', new EncodersFullError(), 'out-of-capacity'],
    ['a store that is away', new StoreAwayError(new Error('?')), 'store-away'],
    ['a cache without room', new CacheFullError(), 'out-of-capacity'],
    ['a machine without processes', withCode('EAGAIN'), 'out-of-capacity'],
    ['a machine without memory', withCode('ENOMEM'), 'out-of-capacity'],
    ['a program without open files', withCode('EMFILE'), 'out-of-capacity'],
    ['a machine without open files', withCode('ENFILE'), 'out-of-capacity'],
    ['a database that is away', new DatabaseAwayError(withCode('ECONNREFUSED')), 'server-trouble'],
    ['a service that is away', withCode('ECONNREFUSED'), 'server-trouble'],
    ['a warden that is being replaced', withCode('still-running'), 'server-trouble'],
    ['a target whose name nobody knows', new EgressRefused('unknown-host'), 'name-not-found'],
    ['a target inside', new EgressRefused('forbidden'), 'target-forbidden'],
    ['a target of no kind', new EgressRefused('invalid'), 'target-forbidden'],
    ['an ffmpeg that is missing', withCode('ENOENT'), 'server-trouble'],
    ['a list of which nothing can be played', new PlaylistUnplayableError('?'), 'playlist-unplayable'],
    ['anything else', new Error('?'), 'server-trouble'],
    ['what is no error', undefined, 'server-trouble'],
  ])('%s', (_, error, reason) => {
    expect(startFailure(error)).toBe(reason)
  })

  it.each(['ECONNREFUSED', 'ENOMEM', 'failed'])(
    'gives a first start minutes where it is trouble of ours: %s',
    (code) => {
      const failed = { type: 'start-failed', reason: startFailure(withCode(code)) } as const
      expect(nobodyAnswered(failed.reason)).toBe(true)
      let { state } = after(START.slice(0, 2), FRESH)
      let nowMs = around().nowMs
      for (const begunMs = nowMs; nowMs - begunMs < 60_000; ) {
        state = after([failed], state, around({ nowMs })).state
        if (state.stream.at !== 'waiting') break
        nowMs = state.stream.untilMs
        state = after([{ type: 'wait-over' }], state, around({ nowMs })).state
      }
      expect(state.stream.at).toBe('starting')
    },
  )
})

describe('every reason of a stream', () => {
  it('has a sentence, and there are no sentences without a reason', () => {
    const texts: Readonly<Record<StreamReason, string>> = STREAM_REASON_TEXTS
    for (const reason of STREAM_REASONS) expect(streamReasonText(reason)).toBe(texts[reason])
    const ofTimelines = ['halted', 'session-renewed', 'video-changed']
    const ofAwaitedVideos = ['video-preparing', 'video-failed', 'video-too-large']
    expect(Object.keys(STREAM_REASON_TEXTS).sort()).toEqual(
      [...STREAM_REASONS, ...ofTimelines, ...ofAwaitedVideos].sort(),
    )
  })
})

describe('the reason that a row keeps', () => {
  it('is why it waits or why it ended, and nothing while all is well', () => {
    const tries = { failures: 1, accepted: true, offAirSinceMs: 5, firstLiveMs: 1, reconnects: 0 }
    const states: [StreamState, string | null][] = [
      [{ at: 'waiting', untilMs: 9, reason: 'timed-out', ...tries }, 'timed-out'],
      [{ at: 'ended', reason: 'failed', cause: 'target-refused' }, 'target-refused'],
      [{ at: 'ended', reason: 'stopped', cause: null }, null],
      [{ at: 'stopping', afterwards: 'ended', cause: 'operator', ...tries }, null],
      [{ at: 'live', sinceMs: 7, ...tries }, null],
      // It is no less true while it is being tried again.
      [{ at: 'starting', ...tries }, 'target-closed'],
      [{ at: 'starting', ...tries, failures: 0 }, null],
      [initialState, null],
    ]
    for (const [stream, reason] of states) {
      expect(shownReason({ stream, lastReason: 'target-closed' })).toBe(reason)
    }
  })
})
