/** An account as the lists show it. */
export interface PlatformAccount {
  readonly platform: string
  readonly account_id: string
  readonly name: string
  /** The siteId of Bigo or the (masked) token of TikTok. */
  readonly auth: string
}

const textIn = (holder: unknown, ...names: readonly string[]): string => {
  if (typeof holder !== 'object' || holder === null) return ''
  const fields = holder as Record<string, unknown>
  const found = names.map((name) => fields[name]).find((value) => typeof value === 'string' && value !== '')
  return typeof found === 'string' ? found : ''
}

/** What came from the server; an entry without one of the four is left out. */
export const toAccounts = (entries: readonly unknown[]): PlatformAccount[] =>
  entries
    .map((entry) => ({
      platform: textIn(entry, 'platform'),
      account_id: textIn(entry, 'account_id'),
      name: textIn(entry, 'name'),
      auth: textIn((entry as { credentials?: unknown } | null)?.credentials, 'siteId', 'token'),
    }))
    .filter((account) => Object.values(account).every((value) => value !== ''))
