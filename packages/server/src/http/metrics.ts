import { timingSafeEqual } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Secret } from '@siarin/media/secret'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { DomainError } from '../errors.ts'
import type { Events } from '../platform/events/events.ts'
import type { JobCounts } from '../platform/queue/queue.ts'
import { type MachineMetrics, machineGauges } from './machine-metrics.ts'

export interface MetricsDeps {
  events: Events
  /** How many streams there are in each phase; ended ones are not counted. */
  streamsByPhase: () => Promise<Record<string, number>>
  jobCounts: () => Promise<Record<string, JobCounts>>
  /** Every program of several; none where there is one. */
  machines: () => Promise<MachineMetrics[]>
  token: Secret | null
  /** True: every caller may come from a proxy on this machine, so only the token proves anything. */
  needsToken: boolean
}

const PHASES = ['queued', 'starting', 'live', 'waiting', 'stopping']

/** For the operator's Prometheus: open with the token, without one to this machine itself unless the server is public, and not there for anybody else. */
export function metricsRoute(
  app: FastifyInstance,
  { events, streamsByPhase, jobCounts, machines, ...gate }: MetricsDeps,
): void {
  const registry = new Registry()
  const registers = [registry]
  const watchProcess = onceAsked(registry)
  const fillMachines = machineGauges(registers, machines)
  const requests = new Histogram({
    name: 'siarin_http_request_seconds',
    help: 'Time to answer a request',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.02, 0.1, 0.5, 2, 10],
    registers,
  })
  const interruptions = new Counter({
    name: 'siarin_stream_interruptions_total',
    help: 'Tries of a stream that ended, by reason',
    labelNames: ['reason'],
    registers,
  })
  new Gauge({
    name: 'siarin_streams',
    help: 'Streams by phase',
    labelNames: ['phase'],
    registers,
    async collect() {
      const counts = await streamsByPhase()
      for (const phase of PHASES) this.set({ phase }, counts[phase] ?? 0)
    },
  })

  const sent = new Counter({
    name: 'siarin_stream_bytes_total',
    help: 'Bytes sent to targets by the streams of this worker',
    registers,
  })
  new Gauge({
    name: 'siarin_jobs',
    help: 'Background work by kind and state',
    labelNames: ['kind', 'state'],
    registers,
    async collect() {
      for (const [kind, { waiting, active }] of Object.entries(await jobCounts())) {
        this.set({ kind, state: 'waiting' }, waiting)
        this.set({ kind, state: 'active' }, active)
      }
    },
  })

  // Counted by what the events say: a counter of one program, which begins anew with it. How many are in which phase is read from the rows.
  const forgets = [
    events.on('stream.changed', ({ phase, reason }) => {
      if (phase === 'waiting') interruptions.inc({ reason: reason ?? 'unknown' })
    }),
    events.on('stream.sent', ({ bytes }) => sent.inc(bytes)),
  ]
  app.addHook('onClose', async () => {
    for (const forget of forgets) forget()
  })
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'none'
    requests.observe({ method: request.method, route, status: String(reply.statusCode) }, reply.elapsedTime / 1000)
    done()
  })
  app.get('/metrics', { schema: { hide: true } }, async (request, reply) => {
    if (!mayRead(request, gate)) throw new DomainError('not_found', 'not found')
    await watchProcess()
    await fillMachines()
    return reply.type(registry.contentType).send(await registry.metrics())
  })
}

/** Some delays of the event loop, which is measured every 10 ms, before they are told for the first time. */
const FIRST_DELAYS_MS = 50

/**
 * The figures of the process itself. Measuring them wakes the program a hundred times a second: that begins once somebody asks for them, and
 * costs nothing where nobody ever does.
 */
function onceAsked(register: Registry): () => Promise<void> {
  let begun: Promise<void> | null = null
  return () => {
    begun ??= (async () => {
      collectDefaultMetrics({ register, prefix: 'siarin_' })
      await sleep(FIRST_DELAYS_MS)
    })()
    return begun
  }
}

function mayRead(request: FastifyRequest, { token, needsToken }: Pick<MetricsDeps, 'token' | 'needsToken'>): boolean {
  if (token) {
    const [presented, wanted] = [request.headers.authorization ?? '', `Bearer ${token.reveal()}`].map((text) =>
      Buffer.from(text),
    )
    return (
      presented !== undefined &&
      wanted !== undefined &&
      presented.length === wanted.length &&
      timingSafeEqual(presented, wanted)
    )
  }
  if (needsToken) return false
  // A proxy that nobody told us of comes from here too, but it says for whom.
  const proxied = request.headers['x-forwarded-for'] !== undefined || request.headers['forwarded'] !== undefined
  const { remoteAddress = '' } = request.socket
  return !proxied && ipaddr.isValid(remoteAddress) && ipaddr.process(remoteAddress).range() === 'loopback'
}
