import type { Generated } from 'kysely'

/** What stands for a workspace on its videos. */
export interface BrandKitTable {
  user_id: string
  /** The key of a PNG that we have made ourselves; null: there is none. */
  logo_key: string | null
  /** The hash of its content: equal logos are the same, however often they come. */
  logo_hash: string | null
  logo_width: number | null
  logo_height: number | null
  text: Generated<string>
  /** As JSON (`BrandColours`); null: the usual ones. */
  colours: string | null
  updated_at: number
}

/** A brand as it was put on videos: it never changes, whatever becomes of the kit. Recipes name it (contracts/recipes). */
export interface BrandLookTable {
  user_id: string
  /** A hash of all that it is made of. */
  id: string
  /** As JSON (`FrozenLook` of branding). */
  look: string
  /** Its file stays for as long as this row does. */
  logo_key: string | null
  created_at: number
}
