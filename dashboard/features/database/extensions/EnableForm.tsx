import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Extension } from '#contract/database/database-object-shapes'
import { databaseObjects } from '#contract/database/database-objects'
import { enableExtension } from '#contract/ddl/extensions'
import { pgMeta } from '#contract/database/pg-meta'
import { schemaList } from '../../../modules/objects/lists.ts'
import { ObjectForm } from '../../../modules/objects/ObjectForm.tsx'
import { Alert } from '../../../ui/Alert.tsx'
import { SelectField } from '../../../ui/controls/Select.tsx'
import { TextField } from '../../../ui/controls/TextField.tsx'
import { missingOf } from './extension-rows.ts'

/** What tells of extensions, and is old when one is enabled or disabled. */
export const ofExtensions = [databaseObjects.extensions, pgMeta.schemas]

type Props = {
  projectRef: string
  extension: Extension
  offered: readonly Extension[]
  onClose: () => void
}

const another = ' another'

/** Where an extension goes, and what comes with it. */
export function EnableForm({ projectRef, extension, offered, onClose }: Props) {
  const { data: schemas = [] } = useQuery(schemaList(projectRef))
  const [chosen, setChosen] = useState(extension.fixed_schema ?? 'extensions')
  const [newName, setNewName] = useState('')
  const { name, fixed_schema: fixed, default_version: version } = extension
  const missing = missingOf(extension, new Map(offered.map((one) => [one.name, one])))
  const isNew = chosen === another
  const schema = isNew ? newName.trim() : chosen
  const asked = {
    change: enableExtension({
      name,
      schema: fixed ? undefined : schema,
      createSchema: isNew,
      cascade: missing.length > 0,
    }),
    title: `Enable ${name}`,
    verb: 'Enable extension',
    done: `${name} is enabled`,
  }
  return (
    <ObjectForm
      projectRef={projectRef}
      size="medium"
      title={
        <>
          Enable <span className="mono">{name}</span>
        </>
      }
      review="Review"
      asked={schema === '' ? undefined : asked}
      forgets={ofExtensions}
      onClose={onClose}
    >
      {() => (
        <>
          <p className="muted">
            {[extension.comment, version && `version ${version}`].filter(Boolean).join(', ')}
          </p>
          {fixed ? (
            <p>
              It is always in the schema <span className="mono">{fixed}</span>.
            </p>
          ) : (
            <SelectField
              label="Schema"
              help="Where its types and functions go. The schema extensions keeps them out of the API."
              value={chosen}
              onChange={setChosen}
              options={[
                ...schemas
                  .filter((one) => one.name === 'extensions' || one.owner === 'postgres')
                  .map((one) => ({ value: one.name, label: one.name })),
                { value: another, label: 'A new schema' },
              ]}
            />
          )}
          {isNew && (
            <TextField
              label="Name of the new schema"
              mono
              autoComplete="off"
              value={newName}
              onChange={(event) => setNewName(event.target.value)}
            />
          )}
          {missing.length > 0 && (
            <Alert
              variant="info"
              title={`Enables ${missing.map((one) => one.name).join(', ')} too`}
            >
              {name} does not work without {missing.length > 1 ? 'them' : 'it'}.
            </Alert>
          )}
        </>
      )}
    </ObjectForm>
  )
}
