import type { LogoLook } from '@siarin/contracts/branding'
import { joinTarget } from '@siarin/contracts/platform-preset'
import { presetOf } from '@siarin/contracts/platform-presets'
import type { Platform } from '@siarin/contracts/platforms'
import { PRESET_TEXTS } from '@siarin/contracts/preset-texts'
import { STREAM_TEXTS } from '@siarin/contracts/texts'
import type { Picked } from '../../lib/picked.ts'
import { logoAt } from '../branding/look-form.ts'
import type { TikTokAccount } from './api/tiktok.ts'
import { type GoForm, goesToTickedOnly } from './go-form.ts'

interface SourceFacts {
  /** Whose room it is, what stands in for it. */
  readonly accountId?: string
  readonly fallback?: string
  /** What stands on its picture. */
  readonly logo?: LogoLook
  /** The item to begin with; `looping`: it ends after one round. */
  readonly playlistItem?: string
  readonly looping?: false
}

export type StartCheck =
  | { readonly ok: false; readonly text: string }
  | {
      readonly ok: true
      readonly source: string
      /** What a broadcast of an online source or of a playlist needs besides its source. */
      readonly online: SourceFacts
      readonly platform: Platform
      readonly title: string
      readonly target:
        | { readonly kind: 'key'; readonly key: string }
        /** The server has it, from an earlier stream. */
        | { readonly kind: 'kept'; readonly streamId: string }
        | { readonly kind: 'tiktok'; readonly token: string; readonly accountId: string }
        /** It goes to the stored targets that are ticked, and nowhere else. */
        | { readonly kind: 'ticked' }
    }

const no = (text: string): StartCheck => ({ ok: false, text })

function tikTokToken(accountId: string, accounts: readonly TikTokAccount[]): { token: string } | { missing: string } {
  if (!accountId) return { missing: STREAM_TEXTS.pickTikTokAccount }
  const account = accounts.find(({ account_id }) => account_id === accountId)
  if (!account) return { missing: STREAM_TEXTS.tikTokAccountNotFound }
  const token = account.credentials?.token ?? account.auth
  return token ? { token } : { missing: STREAM_TEXTS.tikTokTokenMissing }
}

function sourceFacts({ online, playlist }: Picked, { fallback, once, logo }: GoForm): SourceFacts {
  if (playlist) return { ...(playlist.itemId && { playlistItem: playlist.itemId }), ...(once && { looping: false }) }
  if (!online) return {}
  return {
    ...(online.accountId && { accountId: online.accountId }),
    ...(fallback && { fallback }),
    ...(logo && { logo: logoAt(logo) }),
  }
}

/** Behind the server of a preset, unless a whole address was pasted. */
function wholeKey({ key, preset, server }: GoForm): { key: string } | { missing: string } {
  const bare = key.trim()
  const chosen = presetOf(preset)
  if (!chosen || bare === '' || /^rtmps?:\/\//i.test(bare)) return { key: bare }
  return server.trim() ? { key: joinTarget(server, bare) } : { missing: PRESET_TEXTS.serverRequired(chosen.name) }
}

/** What must hold before a broadcast is asked for, in the specification's order. */
export function checkStart(picked: Picked | null, form: GoForm, accounts: readonly TikTokAccount[]): StartCheck {
  if (!picked) return no(STREAM_TEXTS.pickVideo)
  const common = {
    ok: true,
    source: picked.source,
    online: sourceFacts(picked, form),
    platform: form.platform,
    title: form.title.trim(),
  } as const

  if (goesToTickedOnly(form)) {
    return picked.source ? { ...common, target: { kind: 'ticked' } } : no(STREAM_TEXTS.sourceInvalid)
  }

  if (form.platform === 'tiktok') {
    const found = tikTokToken(form.accountId, accounts)
    if ('missing' in found) return no(found.missing)
    if (!picked.source) return no(STREAM_TEXTS.sourceInvalid)
    return { ...common, target: { kind: 'tiktok', token: found.token, accountId: form.accountId } }
  }

  const typed = wholeKey(form)
  if ('missing' in typed) return no(typed.missing)
  const { key } = typed
  if (!key && !form.keyOf) return no(STREAM_TEXTS.keyRequired)
  if (!picked.source) return no(STREAM_TEXTS.sourceInvalid)
  return { ...common, target: key ? { kind: 'key', key } : { kind: 'kept', streamId: form.keyOf } }
}
