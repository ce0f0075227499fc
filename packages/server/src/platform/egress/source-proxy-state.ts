import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { processBirth } from '../process/detached.ts'
import type { EgressSettings } from './guard.ts'

export type ProxySettings = Pick<EgressSettings, 'allowPrivateNetwork' | 'dnsServers' | 'own'>

/** What a proxy is told when it is started. */
export interface ProxyOrder {
  readonly settings: ProxySettings
  /** 0: any that is free. */
  readonly port: number
  /** How long it stays without anyone. */
  readonly lingerMs: number
}

/** What a proxy does with what it passes on. One of an earlier version does less: this number grows with what is added. */
export const PROXY_RULES = 6

/** What it writes down once it listens, so that a later start of the program finds it. */
export interface ProxyState {
  readonly pid: number
  readonly birth: string
  readonly port: number
  readonly settings: ProxySettings
  /** Undefined: of a version before there were any. */
  readonly rules?: number
}

export const STATE_FILE = 'state.json'

/** null: none is running. */
export async function readProxyState(directory: string): Promise<ProxyState | null> {
  const text = await readFile(join(directory, STATE_FILE), 'utf8').catch(() => '')
  if (text === '') return null
  const state = JSON.parse(text) as ProxyState
  return state.birth !== '' && processBirth(state.pid) === state.birth ? state : null
}
