import { Checkbox } from '../../../ui/controls/Checkbox.tsx'
import { SelectField } from '../../../ui/controls/Select.tsx'
import { TextField } from '../../../ui/controls/TextField.tsx'
import type { Requested, RequestedChanges } from './inspection.ts'

type Props = {
  requested: Requested
  locked: boolean
  tried: boolean
  onRequested: (requested: Requested) => void
}

const events = [
  { value: '*', label: 'All changes' },
  { value: 'INSERT', label: 'INSERT' },
  { value: 'UPDATE', label: 'UPDATE' },
  { value: 'DELETE', label: 'DELETE' },
] as const

export const firstChanges: RequestedChanges = {
  event: '*',
  schema: 'public',
  table: '',
  filter: '',
}

/** Which channel is joined, and what is listened to. */
export function ChannelForm({ requested, locked, tried, onRequested }: Props) {
  const { topic, isPrivate, broadcast, presence, changes } = requested
  const set = (part: Partial<Requested>) => onRequested({ ...requested, ...part })
  const setChanges = (part: Partial<RequestedChanges>) =>
    set({ changes: { ...(changes ?? firstChanges), ...part } })
  return (
    <div className="form-stack">
      <TextField
        label="Channel"
        mono
        autoComplete="off"
        placeholder="room"
        readOnly={locked}
        error={tried && topic.trim() === '' ? 'A channel needs a name' : undefined}
        value={topic}
        onChange={(event) => set({ topic: event.target.value })}
      />
      <Checkbox
        label="Private channel"
        checked={isPrivate}
        disabled={locked}
        onChange={(event) => set({ isPrivate: event.target.checked })}
      />
      <fieldset className="inspect-kinds">
        <legend className="label">Listen to</legend>
        <Checkbox
          label="Broadcast"
          checked={broadcast}
          disabled={locked}
          onChange={(event) => set({ broadcast: event.target.checked })}
        />
        <Checkbox
          label="Presence"
          checked={presence}
          disabled={locked}
          onChange={(event) => set({ presence: event.target.checked })}
        />
        <Checkbox
          label="Database changes"
          checked={changes !== undefined}
          disabled={locked}
          onChange={(event) => set({ changes: event.target.checked ? firstChanges : undefined })}
        />
      </fieldset>
      {changes && (
        <>
          <SelectField
            label="Event"
            options={events}
            value={changes.event}
            disabled={locked}
            onChange={(event) => setChanges({ event })}
          />
          <TextField
            label="Schema"
            mono
            autoComplete="off"
            readOnly={locked}
            value={changes.schema}
            onChange={(event) => setChanges({ schema: event.target.value })}
          />
          <TextField
            label="Table"
            help="Leave empty for every published table of the schema."
            mono
            autoComplete="off"
            readOnly={locked}
            value={changes.table}
            onChange={(event) => setChanges({ table: event.target.value })}
          />
          <TextField
            label="Filter"
            help="Such as id=eq.1 or name=in.(a,b). Leave empty for every row."
            mono
            autoComplete="off"
            readOnly={locked}
            value={changes.filter}
            onChange={(event) => setChanges({ filter: event.target.value })}
          />
        </>
      )}
    </div>
  )
}
