import type { FastifyInstance } from 'fastify'

export interface ReadinessCheck {
  readonly name: string
  readonly check: () => Promise<unknown>
}

const CHECK_TIMEOUT_MS = 5_000

async function answers({ name, check }: ReadinessCheck): Promise<string | null> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('no answer in time')), CHECK_TIMEOUT_MS)
  })
  try {
    await Promise.race([check(), late])
    return null
  } catch {
    return name
  } finally {
    clearTimeout(timer)
  }
}

const ALWAYS = { schema: { hide: true }, config: { needsNoPlace: true } }

/** /healthz: the process lives. /readyz: everything it leans on answers; names what does not, and nothing more. */
export function healthRoutes(app: FastifyInstance, checks: readonly ReadinessCheck[]): void {
  app.get('/healthz', ALWAYS, async () => ({ success: true, message: 'alive' }))
  app.get('/readyz', ALWAYS, async (request, reply) => {
    const failing = (await Promise.all(checks.map(answers))).filter((name) => name !== null)
    if (failing.length === 0) return { success: true, message: 'ready' }
    request.log.warn({ failing }, 'not ready')
    return reply.code(503).send({ success: false, message: `not ready: ${failing.join(', ')}`, code: 'not_ready' })
  })
}
