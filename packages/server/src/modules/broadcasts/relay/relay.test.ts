import { setImmediate as turn } from 'node:timers/promises'
import type { RelayPlan } from '@siarin/media/relay-plan'
import { Secret } from '@siarin/media/secret'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { createEgress } from '../../../platform/egress/egress.ts'
import type { StartAttempt } from '../sender/start-attempt.ts'
import { createEncoders, type Encoders, type Wish } from './encoders.ts'
import { createRelay } from './relay.ts'
import { createRelaySource, type RelaySource } from './relay-source.ts'

const encodedSize = { width: 1280, height: 720 }
const ENCODED: RelayPlan = { picture: { kind: 'encode', ...encodedSize }, sound: 'copy', encodedSize }
const GROWN = async () => ENCODED
const AS_IT_WAS = async () => null
const ANOTHER: Wish = { streamId: 'another', owner: 'another', isOnTrial: false }

/** A relay that is on air and copied. `looks`: what each look at its source finds. */
function relayOnAir(
  id: string,
  encoders: Encoders,
  looks: (() => Promise<RelayPlan | null>)[],
  inTurn: RelaySource['inTurn'] = (_owner, work) => work(),
) {
  const row = { id, user_id: `owner of ${id}`, note: null, source_finite: 0, fallback_video_id: null }
  const url = new Secret('https://cdn.example/live.m3u8')
  const deps = {
    row,
    encoders,
    log: pino({ level: 'silent' }),
    sources: { locate: async () => ({ state: 'live', url: new URL(url.reveal()) }) },
    limits: async () => ({ maxHeight: 1080, maxFps: 60 }),
    plans: { isOnTrial: async () => false },
    source: {
      inspect: async () => ({ url, ended: false, mark: '1' }),
      planIfGrown: () => (looks.shift() ?? AS_IT_WAS)(),
      inTurn,
    },
  }
  return createRelay(deps as unknown as Parameters<typeof createRelay>[0])
}

it('a copied source begins anew only when two looks in a row found it past the plan', async () => {
  const fails = () => Promise.reject(new Error('the source cannot be read'))
  const looks = [GROWN, AS_IT_WAS, GROWN, fails, GROWN, GROWN]
  const relay = relayOnAir('a', createEncoders(1), looks)
  const said: boolean[] = []
  while (looks.length > 0) said.push(await relay.mustChange())
  expect(said).toEqual([false, false, false, false, false, true])
})

it('a copied source stays on air past the plan for as long as no encoder is free, which it then has', async () => {
  const encoders = createEncoders(1)
  encoders.acquire(ANOTHER)
  const relay = relayOnAir('a', encoders, [GROWN, GROWN, GROWN, GROWN])
  const said = [await relay.mustChange(), await relay.mustChange(), await relay.mustChange()]
  encoders.release('another')
  said.push(await relay.mustChange())
  expect(said).toEqual([false, false, false, true])
  expect(encoders.hasRoomFor(ANOTHER)).toBe(false)
})

/** A source that is re-encoded, of an owner with several. */
function encodedRelay(streamId: string, encoders: Encoders, how: { isAway?: () => boolean; fallback?: string } = {}) {
  const url = new Secret('https://cdn.example/live.m3u8')
  const { isAway = () => false, fallback = null } = how
  let mark = 0
  const deps = {
    row: { id: streamId, user_id: 'u', note: null, source_finite: 0, fallback_video_id: fallback, recipe: null },
    ...{ encoders, log: pino({ level: 'silent' }), plans: { isOnTrial: async () => false } },
    sources: { locate: async () => ({ state: isAway() ? 'offline' : 'live', url: new URL(url.reveal()) }) },
    limits: async () => ({ maxHeight: 1080, maxFps: 60 }),
    source: { inspect: async () => ({ url, ended: false, mark: `${mark++}` }), plan: GROWN },
    ...{ findLogo: async () => null, findClip: async () => ({}), sendSource: async () => ({}) },
    sendLoop: async () => ({}),
  }
  const relay = createRelay(deps as unknown as Parameters<typeof createRelay>[0])
  const attempt = { assertWanted() {} } as StartAttempt
  return { ...relay, start: () => relay.start(attempt) }
}

it('of an owner of several, one leaves its encoder to an owner who has none, and its stand-in plays until one is free', async () => {
  const encoders = createEncoders(2)
  const [first, second] = ['u-1', 'u-2'].map((id) => encodedRelay(id, encoders, { fallback: 'v' }))
  const notes = [(await first?.start())?.note, (await second?.start())?.note]
  expect(notes).toEqual(['source-encoded', 'source-encoded'])
  expect([await first?.mustChange(), await second?.mustChange()]).toEqual([false, false])
  expect(encoders.acquire(ANOTHER)).toBe(false)
  expect([await first?.mustChange(), await second?.mustChange()]).toEqual([false, true])
  expect(await second?.start()).toMatchObject({ onFallback: true })
  expect(encoders.acquire(ANOTHER)).toBe(true)
  expect([await first?.mustChange(), await second?.isBack()]).toEqual([false, false])
  encoders.release(ANOTHER.streamId)
  expect(await second?.isBack()).toBe(true)
  expect(await second?.start()).toMatchObject({ onFallback: false, note: 'source-encoded' })
})

it.each([
  ['with a stand-in', 'v'],
  ['without one', undefined],
])('an encoder is kept for 15 minutes where the source is away: %s', async (_, fallback) => {
  let nowMs = 0
  let isAway = false
  const encoders = createEncoders(1, () => nowMs)
  const relay = encodedRelay('u-1', encoders, { isAway: () => isAway, ...(fallback && { fallback }) })
  await relay.start()
  isAway = true
  for (let tries = 0; tries < 14; tries++) {
    await relay.start().catch(() => {})
    nowMs += 60_000
    expect(encoders.acquire(ANOTHER)).toBe(false)
  }
  nowMs += 60_000
  expect(encoders.acquire(ANOTHER)).toBe(true)
})

const relaySource = () =>
  createRelaySource({
    egress: createEgress({ allowPrivateNetwork: false, dnsServers: [] }),
    ffprobePath: '',
    proxyUrl: async () => '',
  })

it('[SAFE-04] sources on air are looked at while those of another owner are slow', async () => {
  const { inTurn } = relaySource()
  const never = () => new Promise<null>(() => {})
  for (let at = 0; at < 3; at++) void relayOnAir('slow', createEncoders(1), [never], inTurn).mustChange()
  const looks = [AS_IT_WAS]
  await relayOnAir('other', createEncoders(1), looks, inTurn).mustChange()
  expect(looks).toEqual([])
})

it('sources on air are looked at two at a time', async () => {
  let underWay = 0
  let most = 0
  const look = async () => {
    most = Math.max(most, ++underWay)
    await turn()
    underWay--
    return null
  }
  const { inTurn } = relaySource()
  const relays = Array.from({ length: 20 }, (_, at) => relayOnAir(`${at}`, createEncoders(1), [look], inTurn))
  await Promise.all(relays.map((relay) => relay.mustChange()))
  expect(most).toBe(2)
})
