import { PLATFORM_PRESETS } from '@siarin/contracts/platform-presets'
import { Secret } from '@siarin/media/secret'

/** A target as it is kept: the server's address, which anybody of the workspace may read, and what stands behind it, which nobody may. */
export interface TargetParts {
  /** Without a slash at its end; null: the platform's own. */
  readonly address: string | null
  readonly key: Secret
}

export type PartsFault = 'key-required' | 'key-is-address' | 'address-invalid' | 'address-has-query'

const WHOLE = /^rtmps?:\/\//i

/** What somebody typed into two fields, or pasted into one of them, taken apart so that nothing secret stays in the address. */
export function targetParts(typedAddress: string | null, typedKey: string | null): TargetParts | PartsFault {
  const [address, key] = [typedAddress || null, typedKey || null]
  if (address === null) {
    if (key === null) return 'key-required'
    return WHOLE.test(key) ? takeApart(key) : { address: null, key: new Secret(key) }
  }
  if (!WHOLE.test(address)) return 'address-invalid'
  if (key === null) return takeApart(address)
  if (key.includes('://')) return 'key-is-address'
  // ffmpeg would take what follows for a part of the query.
  if (address.includes('?')) return 'address-has-query'
  return keyOutOfAddress(address.replace(/\/+$/, ''), key)
}

/** Addresses that everybody may read, however many parts they have. */
const PUBLIC = new Set(PLATFORM_PRESETS.flatMap(({ servers }) => servers.map(({ url }) => url.replace(/\/$/, ''))))

const ADDRESS = /^(rtmps?:\/\/[^/]*)(?:\/([^/]*))?(?:\/(.*))?$/is

/** Behind the app there may be a secret: an instance that nobody else knows, or the key, which was pasted with the address as well. */
function keyOutOfAddress(address: string, key: string): TargetParts {
  const [, server, app, behind] = ADDRESS.exec(address) ?? []
  if (PUBLIC.has(address) || !behind) return { address, key: new Secret(key) }
  const instance = behind === key || behind.endsWith(`/${key}`) ? behind.slice(0, -key.length) : `${behind}/`
  return { address: `${server}/${app}`, key: new Secret(`${instance}${key}`) }
}

/** Everything behind the app is secret, as in redact. */
function takeApart(whole: string): TargetParts | PartsFault {
  const [, server, path] = /^(rtmps?:\/\/[^/?]*)\/(.*)$/is.exec(whole) ?? []
  if (server === undefined || path === undefined) return 'key-required'
  const [, app, rest] = /^([^/?]*)\/(.*)$/s.exec(path) ?? []
  if (app !== undefined && rest !== undefined) {
    return rest === '' ? 'key-required' : { address: `${server}/${app}`, key: new Secret(rest) }
  }
  // One part alone is a server's address that was pasted without its key, unless the key stands in its query.
  return path.includes('?') ? { address: server, key: new Secret(path) } : 'key-required'
}

/** The two put together again: what a broadcast is started with. */
export const wholeOf = ({ address, key }: TargetParts): Secret =>
  address === null ? key : new Secret(`${address}/${key.reveal()}`)

/** What stands in front of the key proper, such as the instance of an app; empty: nothing does. */
export function instanceOf(key: Secret): string {
  const [path = ''] = key.reveal().split('?', 1)
  return path.slice(0, path.lastIndexOf('/') + 1)
}

export const bareKey = (key: Secret): string => key.reveal().slice(instanceOf(key).length)

/** The address for a screen. A row of an older version may have a key in it; `…` stands for what is not shown. */
export function shownAddress({ address, key }: TargetParts): string | null {
  if (address === null || PUBLIC.has(address)) return address
  const [, server, app, behind] = ADDRESS.exec(address) ?? []
  if (app && app === bareKey(key)) return `${server}/…`
  return behind || instanceOf(key) ? `${server}/${app}/…` : address
}

const HINT_MAX = 4

/** Enough to tell two of one's own keys apart; of a short key its end would tell too much. */
export const keyHint = (key: Secret): string => {
  const value = bareKey(key)
  const shown = Math.min(HINT_MAX, Math.floor(value.length / 4))
  return shown === 0 ? '' : value.slice(-shown)
}
