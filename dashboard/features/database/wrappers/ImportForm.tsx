import { useState } from 'react'
import { databaseObjects } from '#contract/database/database-objects'
import { databaseServer } from '#contract/database/database-server'
import { importForeignSchema } from '#contract/ddl/foreign-data'
import { pgMeta } from '#contract/database/pg-meta'
import { useReview } from '../../../modules/objects/use-review.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { TextField } from '../../../ui/controls/TextField.tsx'

type Props = { projectRef: string; server: string; onDone: () => void }

/** All tables of a schema over there, or some of them, as foreign tables here. */
export function ImportForm({ projectRef, server, onDone }: Props) {
  const [remote, setRemote] = useState('public')
  const [local, setLocal] = useState('')
  const [only, setOnly] = useState('')
  const { ask, dialog } = useReview(
    projectRef,
    databaseServer.foreign,
    databaseObjects.foreignTables,
    pgMeta.schemas,
    pgMeta.entities,
  )
  const ready = remote.trim() !== '' && local.trim() !== ''
  const names = only
    .split('\n')
    .map((name) => name.trim())
    .filter(Boolean)
  return (
    <div className="form-stack">
      <TextField
        label="Schema there"
        mono
        value={remote}
        onChange={(event) => setRemote(event.target.value)}
      />
      <TextField
        label="Schema here"
        mono
        placeholder="remote"
        help="It is created if it does not exist. If the API does not expose it, its rows are reachable only with SQL."
        value={local}
        onChange={(event) => setLocal(event.target.value)}
      />
      <TextField
        label="Only this table (optional)"
        mono
        value={only}
        onChange={(event) => setOnly(event.target.value)}
      />
      <div className="row">
        <Button
          variant="primary"
          disabled={!ready}
          onClick={() =>
            ready &&
            ask({
              change: importForeignSchema({
                server,
                remote: remote.trim(),
                local: local.trim(),
                createLocal: true,
                only: names,
              }),
              title: `Import ${remote.trim()}`,
              verb: 'Import schema',
              done: `${remote.trim()} is imported`,
              onDone,
            })
          }
        >
          Review
        </Button>
        <Button onClick={onDone}>Cancel</Button>
      </div>
      {dialog}
    </div>
  )
}
