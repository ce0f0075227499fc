import type { FastifyBaseLogger } from 'fastify'

type Make = () => FastifyBaseLogger

/** A log that writes the id of its request into each line; most requests write none, and then none is made. */
class RequestLog {
  readonly #make: Make
  #made: FastifyBaseLogger | null = null

  constructor(make: Make) {
    this.#make = make
  }
  get #log(): FastifyBaseLogger {
    this.#made ??= this.#make()
    return this.#made
  }
  get level(): string {
    return this.#log.level
  }
  fatal(...line: Parameters<FastifyBaseLogger['fatal']>): void {
    this.#log.fatal(...line)
  }
  error(...line: Parameters<FastifyBaseLogger['error']>): void {
    this.#log.error(...line)
  }
  warn(...line: Parameters<FastifyBaseLogger['warn']>): void {
    this.#log.warn(...line)
  }
  info(...line: Parameters<FastifyBaseLogger['info']>): void {
    this.#log.info(...line)
  }
  debug(...line: Parameters<FastifyBaseLogger['debug']>): void {
    this.#log.debug(...line)
  }
  trace(...line: Parameters<FastifyBaseLogger['trace']>): void {
    this.#log.trace(...line)
  }
  silent(...line: Parameters<FastifyBaseLogger['silent']>): void {
    this.#log.silent(...line)
  }
  child(...given: Parameters<FastifyBaseLogger['child']>): FastifyBaseLogger {
    return this.#log.child(...given)
  }
}

export const createRequestLog = (
  log: FastifyBaseLogger,
  ...given: Parameters<FastifyBaseLogger['child']>
): FastifyBaseLogger => new RequestLog(() => log.child(...given))
