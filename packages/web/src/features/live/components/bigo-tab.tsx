import { ListFrame } from './list-frame.tsx'

/** Online videos come with the Bigo accounts; until then there are none. */
export function BigoTab() {
  return <ListFrame label="Video online" state="empty" emptyText="Tidak ada video online yang tersedia." />
}
