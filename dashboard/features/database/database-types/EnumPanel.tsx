import { useState } from 'react'
import { databaseTypes, type CustomType } from '#contract/database/database-types'
import { changeEnum, createType } from '#contract/ddl/types'
import { pgMeta } from '#contract/database/pg-meta'
import { ObjectForm } from '../../../modules/objects/ObjectForm.tsx'
import { Alert } from '../../../ui/Alert.tsx'
import { TextField } from '../../../ui/controls/TextField.tsx'
import { enumChangeOf, enumDraftOf, enumSpecOf, newEnum, problemsOf } from './enum-draft.ts'
import { ValueRows } from './ValueRows.tsx'

type Props = {
  projectRef: string
  schema: string
  /** The one that is changed. */
  type?: CustomType
  onClose: () => void
}

/** Makes an enum, or adds and renames values of one. */
export function EnumPanel({ projectRef, schema, type, onClose }: Props) {
  const [draft, setDraft] = useState(() => (type ? enumDraftOf(type) : newEnum()))
  const change = type
    ? changeEnum(type, enumChangeOf(draft))
    : createType(enumSpecOf(schema, draft))
  const adds = type !== undefined && draft.values.some(({ was }) => was === undefined)
  return (
    <ObjectForm
      projectRef={projectRef}
      size="large"
      title={
        type ? undefined : (
          <>
            New enum in <span className="mono">{schema}</span>
          </>
        )
      }
      kind="enum"
      name={type?.name}
      done={`${draft.name} is ${type ? 'changed' : 'created'}`}
      change={change}
      problems={problemsOf(draft)}
      warning={
        adds && (
          <Alert variant="warning" title="You cannot remove an added value">
            Postgres has no command to remove or move a value.
          </Alert>
        )
      }
      forgets={[databaseTypes.list, pgMeta.types, pgMeta.entity]}
      onClose={onClose}
    >
      {(shown) => (
        <>
          <TextField
            label="Name"
            mono
            autoComplete="off"
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- the panel was opened to name one
            autoFocus={!type}
            error={shown['name']}
            value={draft.name}
            onChange={(event) => setDraft({ ...draft, name: event.target.value })}
          />
          <TextField
            label="Description"
            autoComplete="off"
            help="One line that tells others what it is for."
            value={draft.comment}
            onChange={(event) => setDraft({ ...draft, comment: event.target.value })}
          />
          <ValueRows
            values={draft.values}
            problems={shown}
            fixed={type !== undefined}
            onValues={(values) => setDraft({ ...draft, values })}
          />
        </>
      )}
    </ObjectForm>
  )
}
