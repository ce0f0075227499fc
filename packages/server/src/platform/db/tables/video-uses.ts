/** What keeps a video from being deleted. The database itself refuses it while there is such a row. */
export interface VideoUseTable {
  video_id: string
  /** The stream that shows it, will show it next, or has it stand in. */
  used_by: string
  user_id: string
}
