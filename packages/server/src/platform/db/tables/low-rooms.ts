/** Whose room is nearly used up, and who was told so. */
export interface LowRoomTable {
  user_id: string
  /** How large the room was then: a larger one may run low again. */
  room_bytes: number
}
