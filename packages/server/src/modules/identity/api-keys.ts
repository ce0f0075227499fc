import type { Sealer } from '../../platform/secrets/seal.ts'
import { hashToken, newToken } from '../../platform/secrets/tokens.ts'

/** What the user's row keeps of a new API key. */
export function freshApiKey(sealer: Sealer): { api_key_hash: string; api_key_sealed: string } {
  const apiKey = newToken('sk')
  return { api_key_hash: hashToken(apiKey.reveal()), api_key_sealed: sealer.seal(apiKey) }
}
