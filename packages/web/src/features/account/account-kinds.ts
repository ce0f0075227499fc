import type { AccountKind } from '@siarin/contracts/accounts'

interface KindFacts {
  readonly label: string
  readonly credentialLabel: string
  readonly credentialHint: string
}

export const KIND_FACTS: Record<AccountKind, KindFacts> = {
  bigo: {
    label: 'Bigo',
    credentialLabel: 'Id Bigo',
    credentialHint: 'Id di profil Bigo, atau alamat ruangnya seperti bigo.tv/784512.',
  },
  tiktok: {
    label: 'TikTok',
    credentialLabel: 'Token TikTok',
    credentialHint: 'Token dari Streamlabs. Disimpan terenkripsi dan tidak pernah ditampilkan utuh lagi.',
  },
}
