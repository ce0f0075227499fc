import { LOGO_MAX_BYTES } from '@siarin/contracts/branding'
import { BRANDING_TEXTS } from '@siarin/contracts/branding-texts'

export type LogoFile = Pick<File, 'name' | 'type' | 'size'>

export const LOGO_TYPES = 'image/png,image/svg+xml,.png,.svg'

const TYPES = [
  { type: 'image/png', ending: '.png' },
  { type: 'image/svg+xml', ending: '.svg' },
]

/** Some systems know no type for drawings: then the name says it. Null: it is neither. */
export function logoTypeOf({ name, type }: LogoFile): string | null {
  const found = TYPES.find((known) => (type ? type === known.type : name.toLowerCase().endsWith(known.ending)))
  return found?.type ?? null
}

/** What can be said before anything is sent; null: nothing. */
export function logoFault(file: LogoFile): string | null {
  if (logoTypeOf(file) === null) return BRANDING_TEXTS.logoType
  if (file.size === 0) return BRANDING_TEXTS.logoEmpty
  return file.size > LOGO_MAX_BYTES ? BRANDING_TEXTS.logoTooLarge(LOGO_MAX_BYTES / 1024 ** 2) : null
}
