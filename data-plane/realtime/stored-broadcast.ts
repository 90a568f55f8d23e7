import type { Broadcast } from './hub.ts'
import type { Change } from './changes/wal-store.ts'

/** Whether a change is a message that was sent from within the database. */
export const isMessage = ({ table }: Change) =>
  table.schema === 'realtime' && table.name === 'messages'

/** A row of realtime.messages as the broadcast that it is; undefined: none. */
export function broadcastOf({ type, record }: Change): Broadcast | undefined {
  if (type !== 'INSERT' || record?.['extension'] !== 'broadcast') return undefined
  const { topic, event, payload, private: isPrivate, id, binary_payload: binary } = record
  if (typeof topic !== 'string' || typeof event !== 'string') return undefined
  const common = { name: topic, isPrivate: isPrivate === 't', id: id ?? undefined }
  const meta = { id }
  if (typeof binary === 'string') {
    const bytes = Buffer.from(binary.slice('\\x'.length), 'hex')
    const user = { event, isJson: false, payload: bytes, meta: JSON.stringify(meta) }
    return { ...common, user }
  }
  const value: unknown = typeof payload === 'string' ? JSON.parse(payload) : null
  return { ...common, payload: { type: 'broadcast', event, payload: value, meta } }
}
