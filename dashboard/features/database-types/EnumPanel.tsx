import { useState } from 'react'
import { databaseTypes, type CustomType } from '#contract/database-types'
import type { Change } from '#contract/ddl/change'
import { changeEnum, createType } from '#contract/ddl/types'
import { pgMeta } from '#contract/pg-meta'
import { forget } from '../../api/client.ts'
import { ReviewChange } from '../../session/ReviewChange.tsx'
import { Alert } from '../../ui/Alert.tsx'
import { Button } from '../../ui/Button.tsx'
import { Form } from '../../ui/Form.tsx'
import { SidePanel } from '../../ui/SidePanel.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { toast } from '../../ui/toast.ts'
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
  const [tried, setTried] = useState(false)
  const [review, setReview] = useState<Change>()
  const problems = problemsOf(draft)
  const shown = tried ? problems : {}
  const change = type
    ? changeEnum(type, enumChangeOf(draft))
    : createType(enumSpecOf(schema, draft))
  const verb = type ? 'Change enum' : 'Create enum'
  const adds = type !== undefined && draft.values.some(({ was }) => was === undefined)

  function submit() {
    setTried(true)
    if (Object.keys(problems).length === 0) setReview(change)
  }

  return (
    <SidePanel
      open
      size="large"
      onClose={onClose}
      title={
        type ? (
          <>
            Edit <span className="mono">{type.name}</span>
          </>
        ) : (
          <>
            New enum in <span className="mono">{schema}</span>
          </>
        )
      }
      shell={(inside) => (
        <Form error={undefined} pending={false} onSubmit={submit}>
          {inside}
        </Form>
      )}
      footer={
        <>
          <Button size="form" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" size="form" variant="primary" disabled={!change}>
            Review SQL
          </Button>
        </>
      }
    >
      <div className="form-stack">
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
          help="One line for the people who come after you."
          value={draft.comment}
          onChange={(event) => setDraft({ ...draft, comment: event.target.value })}
        />
        <ValueRows
          values={draft.values}
          problems={shown}
          fixed={type !== undefined}
          onValues={(values) => setDraft({ ...draft, values })}
        />
      </div>
      <ReviewChange
        projectRef={projectRef}
        change={review}
        title={verb}
        verb={verb}
        onClose={() => setReview(undefined)}
        onDone={async () => {
          toast.success(`${draft.name} is ${type ? 'changed' : 'created'}`)
          await forget(databaseTypes.list, pgMeta.types, pgMeta.entity)
          onClose()
        }}
      >
        {adds && (
          <Alert variant="warning" title="A value that was added stays">
            Postgres has no command that takes a value away or moves it.
          </Alert>
        )}
      </ReviewChange>
    </SidePanel>
  )
}
