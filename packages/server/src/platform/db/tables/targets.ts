/** Where broadcasts go, saved under a name. */
export interface TargetTable {
  id: string
  user_id: string
  name: string
  /** The name without case: what is unique in a workspace, and by what the list is in order. */
  name_key: string
  platform: string
  /** Which entry of the list of platforms it was made from. */
  preset: string | null
  /** The address of the RTMP server, without the key; null: the platform's own. */
  address: string | null
  /** What stands behind the address. Sealed anew with every change of it or of the address. */
  key_sealed: string
  /** The end of the key, at most four characters and a quarter of it. */
  key_hint: string
  created_at: number
  /** When a broadcast was last asked to go there. */
  last_used_at: number | null
  /** The last test since key and address are what they are. */
  checked_at: number | null
  /** 'taken', or a code of contracts/stream-reason-texts. */
  check_result: string | null
}
