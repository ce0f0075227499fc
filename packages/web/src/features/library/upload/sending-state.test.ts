import { describe, expect, it } from 'vitest'
import { beginSending, nextSending, type SendingEffect, type SendingEvent, type SendingStep } from './sending-state.ts'

const SIZE = 1000

/** Where a history of events leads, and what the last of them asked for. */
function after(...events: readonly SendingEvent[]): SendingStep {
  let reached: SendingStep = { state: beginSending(SIZE), effects: [] }
  for (const event of events) reached = nextSending(reached.state, event)
  return reached
}

const typesOf = (effects: readonly SendingEffect[]): string[] => effects.map(({ type }) => type)
const failed = (status: number | null, method = 'PATCH'): SendingEvent => ({
  type: 'failed',
  failure: { method, status, message: null },
})
const progressed = (sentBytes: number): SendingEvent => ({ type: 'progressed', sentBytes, atMs: 0 })

const OPENED: SendingEvent = { type: 'opened', fromEarlierVisit: false }
const LINE_LOST: SendingEvent = { type: 'line-lost' }
const LINE_BACK: SendingEvent = { type: 'line-back' }
const RETRY_DUE: SendingEvent = { type: 'retry-due' }
const READABLE: SendingEvent = { type: 'file-readable' }

describe('a file on its way', () => {
  it('starts once it is open, and is watched', () => {
    const { state, effects } = after(OPENED)
    expect(state.at).toBe('trying')
    expect(effects).toEqual([{ type: 'set-alarm', ms: 45_000, event: 'line-lost' }, { type: 'start' }])
  })

  it('gives the server longer to answer once all is sent', () => {
    expect(after(OPENED, progressed(SIZE - 1)).effects).toContainEqual({
      type: 'set-alarm',
      ms: 45_000,
      event: 'line-lost',
    })
    const { state, effects } = after(OPENED, progressed(SIZE))
    expect(state.at).toBe('checking')
    expect(effects).toContainEqual({ type: 'set-alarm', ms: 180_000, event: 'line-lost' })
  })

  it('says where it goes on, and whether an earlier visit began it', () => {
    const { effects } = after({ type: 'opened', fromEarlierVisit: true }, { type: 'located', offset: 400 })
    expect(effects).toEqual([
      { type: 'touch-note' },
      { type: 'tell', event: { type: 'continued', sentBytes: 400, fromEarlierVisit: true } },
    ])
  })

  it('is over when the server has taken it', () => {
    const { state, effects } = after(OPENED, progressed(SIZE), { type: 'succeeded' })
    expect(state.at).toBe('over')
    expect(effects).toEqual([{ type: 'settle', end: 'uploaded' }])
  })
})

describe('a cut line', () => {
  it('ends the request and waits for the next try', () => {
    const { state, effects } = after(OPENED, LINE_LOST)
    expect(state).toMatchObject({ at: 'waiting', attempt: 1 })
    expect(effects).toEqual([
      { type: 'abort', discard: false },
      { type: 'tell', event: { type: 'broke' } },
      { type: 'set-alarm', ms: 500, event: 'retry-due' },
    ])
  })

  it('is heard of once, however many say so', () => {
    expect(after(OPENED, LINE_LOST, LINE_LOST).effects).toEqual([])
    expect(after(OPENED, LINE_LOST, failed(null)).effects).toEqual([])
    expect(after(OPENED, LINE_LOST, progressed(500)).effects).toEqual([])
  })

  it('is tried again after the file was found readable', () => {
    expect(after(OPENED, LINE_LOST, RETRY_DUE).effects).toEqual([{ type: 'read-file' }])
    expect(typesOf(after(OPENED, LINE_LOST, RETRY_DUE, READABLE).effects)).toContain('start')
  })

  it('ends the sending when the file is gone', () => {
    const { state, effects } = after(OPENED, LINE_LOST, RETRY_DUE, { type: 'file-gone' })
    expect(state.at).toBe('over')
    expect(effects).toEqual([{ type: 'refuse', failure: null }])
  })

  it('ends the waiting when it is back, and counts from the beginning', () => {
    const { state, effects } = after(OPENED, LINE_LOST, RETRY_DUE, READABLE, LINE_LOST, LINE_BACK)
    expect(state).toMatchObject({ at: 'opening', attempt: 0 })
    expect(effects).toEqual([{ type: 'read-file' }])
    expect(after(OPENED, LINE_BACK).effects).toEqual([])
  })

  it('counts from the beginning once the server took in more', () => {
    const again = [OPENED, LINE_LOST, RETRY_DUE, READABLE]
    expect(after(...again, { type: 'located', offset: 0 }).state.attempt).toBe(1)
    expect(after(...again, { type: 'accepted', offset: 10 }).state.attempt).toBe(0)
  })
})

describe('a refusal', () => {
  it('is final, and there is nothing to go on with', () => {
    const { state, effects } = after(OPENED, failed(413))
    expect(state.at).toBe('over')
    expect(typesOf(effects)).toEqual(['forget-note', 'refuse'])
  })

  it.each([401, 507])('with status %i leaves the upload to be continued', (status) => {
    expect(typesOf(after(OPENED, failed(status)).effects)).toEqual(['refuse'])
  })

  it('of an upload that was sent whole means that the server has finished it', () => {
    const lostAnswer = [OPENED, progressed(SIZE), LINE_LOST, RETRY_DUE, READABLE]
    expect(after(...lostAnswer, failed(404, 'HEAD')).effects).toEqual([
      { type: 'forget-note' },
      { type: 'settle', end: 'vanished' },
    ])
  })
})

describe('an aborted sending', () => {
  it('is thrown away when it was cancelled', () => {
    expect(after(OPENED, { type: 'aborted', cancelled: true }).effects).toEqual([
      { type: 'forget-note' },
      { type: 'abort', discard: true },
      { type: 'settle', end: 'cancelled' },
    ])
  })

  it('is left to be continued otherwise', () => {
    expect(after(OPENED, { type: 'aborted', cancelled: false }).effects).toEqual([
      { type: 'abort', discard: false },
      { type: 'settle', end: 'left' },
    ])
  })

  it('hears nothing any more', () => {
    const aborted: SendingEvent = { type: 'aborted', cancelled: false }
    for (const event of [OPENED, READABLE, RETRY_DUE, LINE_BACK, LINE_LOST, progressed(SIZE), failed(null)])
      expect(after(OPENED, aborted, event).effects).toEqual([])
  })
})
