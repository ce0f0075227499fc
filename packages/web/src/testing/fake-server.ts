import { AxiosError, type AxiosResponse, type InternalAxiosRequestConfig } from 'axios'
import { http } from '../lib/http.ts'
import { defaultAnswers } from './default-answers.ts'

interface Call {
  /** As in 'GET /fitur/video'. */
  readonly route: string
  readonly query: URLSearchParams
  readonly body: unknown
  readonly bearer: string | undefined
}

type Answer = { readonly status?: number; readonly json?: object; readonly text?: string } | 'unreachable'

export type Answering = Answer | ((call: Call) => Answer | Promise<Answer>)

export interface FakeServer {
  /** Every call so far, oldest first. */
  readonly calls: Call[]
  readonly asked: (route: string) => number
  /** Answers a route like this from now on. */
  readonly on: (route: string, answering: Answering) => void
  /** Answers a route again as to somebody new. */
  readonly restore: (route: string) => void
}

function callOf(config: InternalAxiosRequestConfig): Call {
  const url = new URL(http.getUri(config), 'http://page.test')
  return {
    route: `${config.method?.toUpperCase()} ${url.pathname}`,
    query: url.searchParams,
    body: typeof config.data === 'string' ? JSON.parse(config.data) : undefined,
    bearer: config.headers.get('Authorization')?.toString(),
  }
}

function settle(config: InternalAxiosRequestConfig, answer: Answer): AxiosResponse {
  if (answer === 'unreachable') throw new AxiosError('Network Error', AxiosError.ERR_NETWORK, config)
  const { status = 200, json, text = '' } = answer
  const data = json ? JSON.stringify(json) : text
  const response = { status, statusText: '', data, headers: {}, config }
  if (config.validateStatus?.(status) === false) {
    throw new AxiosError(`Request failed with status code ${status}`, undefined, config, null, response)
  }
  return response
}

/** Takes the place of the network: everything above it, with the client's own defaults, is the real thing. */
export function createFakeServer(): FakeServer {
  const answers = new Map<string, Answering>(Object.entries(defaultAnswers()))
  const calls: Call[] = []
  http.defaults.adapter = async (config) => {
    const call = callOf(config)
    calls.push(call)
    const answering = answers.get(call.route) ?? { status: 404, json: { success: false, message: `No ${call.route}` } }
    return settle(config, typeof answering === 'function' ? await answering(call) : answering)
  }
  return {
    calls,
    asked: (route) => calls.filter((call) => call.route === route).length,
    on: (route, answering) => answers.set(route, answering),
    restore: (route) => answers.set(route, defaultAnswers()[route] ?? 'unreachable'),
  }
}
