import { ListPlus, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { databaseTypes, type CustomType } from '#contract/database/database-types'
import { changeEnum, createType, type EnumChange, type TypeSpec } from '#contract/ddl/types'
import { pgMeta } from '#contract/database/pg-meta'
import { nameProblem } from '../../../modules/objects/name-problem.ts'
import { ObjectForm, panelTitle, panelVerb } from '../../../modules/objects/ObjectForm.tsx'
import { Alert } from '../../../ui/Alert.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { TextField } from '../../../ui/controls/TextField.tsx'

/** What tells of types, and is old when one has changed. */
export const ofTypes = [databaseTypes.list, pgMeta.types, pgMeta.entity]

/** A value in the form; `was` is what it is called in the database, if it is there. */
type DraftValue = { id: string; was?: string; value: string }
type EnumDraft = { name: string; comment: string; values: DraftValue[] }

let count = 0
const draftValue = (was?: string): DraftValue => ({
  id: `value-${(count += 1)}`,
  ...(was === undefined ? {} : { was }),
  value: was ?? '',
})

const newEnum = (): EnumDraft => ({
  name: '',
  comment: '',
  values: [draftValue(), draftValue()],
})

const enumDraftOf = ({ name, comment, values }: CustomType): EnumDraft => ({
  name,
  comment: comment ?? '',
  values: values.map((value) => draftValue(value)),
})

const commentOf = ({ comment }: EnumDraft) => (comment.trim() === '' ? null : comment)

const enumSpecOf = (schema: string, draft: EnumDraft): TypeSpec => ({
  schema,
  name: draft.name,
  kind: 'enum',
  values: draft.values.map(({ value }) => value),
  attributes: [],
  base_type: null,
  not_null: false,
  default_value: null,
  checks: [],
  comment: commentOf(draft),
})

const enumChangeOf = (draft: EnumDraft): EnumChange => ({
  name: draft.name,
  comment: commentOf(draft),
  values: draft.values,
})

/** What is wrong, by `name` or the id of a value. */
function problemsOf(draft: EnumDraft): Record<string, string> {
  const problems: Record<string, string> = {}
  const name = nameProblem(draft.name)
  if (name) problems['name'] = name
  const known = new Set<string>()
  for (const { id, value } of draft.values) {
    if (value === '') problems[id] = 'A value needs at least one character'
    else if (known.has(value)) problems[id] = 'This value already exists'
    else if (new TextEncoder().encode(value).length > 63)
      problems[id] = 'A value has at most 63 bytes'
    known.add(value)
  }
  return problems
}

type Props = {
  projectRef: string
  schema: string
  /** The one that is changed. */
  type?: CustomType
  onClose: () => void
}

/** Makes an enum, or adds and renames values of one. */
export function EnumForm({ projectRef, schema, type, onClose }: Props) {
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
        type ? (
          panelTitle('enum', type.name)
        ) : (
          <>
            New enum in <span className="mono">{schema}</span>
          </>
        )
      }
      review="Review SQL"
      asked={
        change && {
          change,
          verb: panelVerb('enum', type !== undefined),
          done: `${draft.name} is ${type ? 'changed' : 'created'}`,
          children: adds && (
            <Alert variant="warning" title="You cannot remove an added value">
              Postgres has no command to remove or move a value.
            </Alert>
          ),
        }
      }
      problems={problemsOf(draft)}
      forgets={ofTypes}
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

type RowsProps = {
  values: readonly DraftValue[]
  problems: Record<string, string>
  /** The values that are there can be renamed, not removed. */
  fixed: boolean
  onValues: (values: DraftValue[]) => void
}

/** The values of an enum in their order; new ones can be put between those that are there. */
function ValueRows({ values, problems, fixed, onValues }: RowsProps) {
  const insertAfter = (index: number) => onValues(values.toSpliced(index + 1, 0, draftValue()))
  return (
    <fieldset className="object-rows">
      <legend className="label">Values, in their order</legend>
      {values.map(({ id, was, value }, index) => (
        <div className="object-row one two-acts" key={id}>
          <TextField
            label={`Value ${index + 1}`}
            mono
            autoComplete="off"
            error={problems[id]}
            help={was !== undefined && was !== value ? `Was ${was}` : undefined}
            value={value}
            onChange={({ target }) =>
              onValues(values.map((one) => (one.id === id ? { ...one, value: target.value } : one)))
            }
          />
          <IconButton
            className="object-row-remove"
            size="form"
            icon={ListPlus}
            label={`Add a value after ${value || index + 1}`}
            onClick={() => insertAfter(index)}
          />
          <IconButton
            className="object-row-remove"
            size="form"
            icon={Trash2}
            label={`Remove value ${value || index + 1}`}
            disabledReason={
              fixed && was !== undefined && 'Postgres has no command to remove a value'
            }
            onClick={() => onValues(values.filter((one) => one.id !== id))}
          />
        </div>
      ))}
      <Button icon={Plus} onClick={() => insertAfter(values.length - 1)}>
        Add value
      </Button>
    </fieldset>
  )
}
