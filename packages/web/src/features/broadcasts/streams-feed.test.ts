import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { openStreamsFeed } from './streams-feed.ts'

class FakeSource {
  readonly CLOSED = 2
  readyState = 0
  onopen: (() => void) | null = null
  onerror: (() => void) | null = null
  private heard: (event: { data: unknown }) => void = () => {}
  addEventListener(_type: string, heard: (event: { data: unknown }) => void): void {
    this.heard = heard
  }
  push(data: string): void {
    this.heard({ data })
  }
  fail(readyState: number): void {
    this.readyState = readyState
    this.onerror?.()
  }
  close(): void {
    this.readyState = this.CLOSED
  }
}

function feed() {
  const sources: FakeSource[] = []
  const onStreams = vi.fn()
  const opens: boolean[] = []
  const close = openStreamsFeed({
    connect: () => {
      const source = new FakeSource()
      sources.push(source)
      return source as unknown as EventSource
    },
    onStreams,
    onOpen: (open) => opens.push(open),
  })
  const last = (): FakeSource => {
    const source = sources.at(-1)
    if (!source) throw new Error('Nothing was connected.')
    return source
  }
  return { sources, onStreams, opens, close, last }
}

describe('the feed of streams', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('hands lists on and ignores what is none', () => {
    const { last, onStreams, opens } = feed()
    last().onopen?.()
    for (const data of ['[{"streamId":"a"}]', '{"streams":[]}', 'nonsense']) last().push(data)
    expect(opens).toEqual([true])
    expect(onStreams.mock.calls).toEqual([[[{ streamId: 'a' }]]])
  })

  it('leaves a broken line to the browser and comes back itself after a refusal', () => {
    const { sources, last, opens } = feed()
    last().fail(0)
    vi.advanceTimersByTime(60_000)
    expect(sources).toHaveLength(1)
    last().fail(2)
    vi.advanceTimersByTime(5000)
    expect(sources).toHaveLength(2)
    expect(opens).toEqual([false, false])
  })

  it('is silent once it is closed', () => {
    const { sources, last, close } = feed()
    last().fail(2)
    close()
    vi.advanceTimersByTime(60_000)
    expect(sources).toHaveLength(1)
    expect(last().readyState).toBe(2)
  })
})
