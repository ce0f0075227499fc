import { setImmediate as turn } from 'node:timers/promises'
import type { RelayPlan } from '@siarin/media/relay-plan'
import { Secret } from '@siarin/media/secret'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { createEgress } from '../../../platform/egress/egress.ts'
import { createTurns } from '../../../platform/turns.ts'
import { createEncoders, type Encoders } from './encoders.ts'
import { createRelay } from './relay.ts'
import { createRelaySource } from './relay-source.ts'

const encodedSize = { width: 1280, height: 720 }
const ENCODED: RelayPlan = { picture: { kind: 'encode', ...encodedSize }, sound: 'copy', encodedSize }
const GROWN = async () => ENCODED
const AS_IT_WAS = async () => null

/** A relay that is on air and copied. `looks`: what each look at its source finds. */
function relayOnAir(
  id: string,
  encoders: Encoders,
  looks: (() => Promise<RelayPlan | null>)[],
  inTurn = createTurns(2),
) {
  const row = { id, user_id: 'u', note: null, source_finite: 0, fallback_video_id: null }
  const url = new Secret('https://cdn.example/live.m3u8')
  const deps = {
    row,
    encoders,
    log: pino({ level: 'silent' }),
    sources: { locate: async () => ({ state: 'live', url: new URL(url.reveal()) }) },
    limits: async () => ({ maxHeight: 1080, maxFps: 60 }),
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
  while (looks.length > 0) said.push(await relay.outgrew())
  expect(said).toEqual([false, false, false, false, false, true])
})

it('a copied source stays on air past the plan for as long as no encoder is free, which it then has', async () => {
  const encoders = createEncoders(1)
  encoders.acquire('another')
  const relay = relayOnAir('a', encoders, [GROWN, GROWN, GROWN, GROWN])
  const said = [await relay.outgrew(), await relay.outgrew(), await relay.outgrew()]
  encoders.release('another')
  said.push(await relay.outgrew())
  expect(said).toEqual([false, false, false, true])
  expect(encoders.hasRoomFor('another')).toBe(false)
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
  const { inTurn } = createRelaySource({
    egress: createEgress({ allowPrivateNetwork: false, dnsServers: [] }),
    ffprobePath: '',
    proxyUrl: async () => '',
  })
  const relays = Array.from({ length: 20 }, (_, at) => relayOnAir(`${at}`, createEncoders(1), [look], inTurn))
  await Promise.all(relays.map((relay) => relay.outgrew()))
  expect(most).toBe(2)
})
