import { Link } from '@tanstack/react-router'
import { BookOpen, Code, Copy, Pencil, SquareFunction, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { databaseFunctions, type DatabaseFunction } from '#contract/database/database-functions'
import { dropFunction, canReplace, changeFunction, createFunction } from '#contract/ddl/functions'
import { sqlOf } from '#contract/ddl/change'
import { DropObject } from '../../../modules/objects/list/DropObject.tsx'
import { functionsQuery } from '../../../modules/objects/lists.ts'
import { actionsColumn, nameColumn } from '../../../modules/objects/list/object-columns.tsx'
import {
  byText,
  emptyList,
  type Place,
  type Resource,
} from '../../../modules/objects/list/resource.tsx'
import { Alert } from '../../../ui/Alert.tsx'
import { MenuItem, MenuSeparator } from '../../../ui/floats/MenuItem.tsx'
import { SidePanel } from '../../../ui/floats/SidePanel.tsx'
import type { Column } from '../../../ui/lists/Table.tsx'
import { Badge } from '../../../ui/text/Badge.tsx'
import { CodeBlock } from '../../../ui/text/CodeBlock.tsx'
import { ObjectForm, panelTitle, panelVerb } from '../../../modules/objects/ObjectForm.tsx'
import { inlineEditor, SqlPanel } from '../../../modules/sql/SqlPanel.tsx'
import { usePreview } from '../../../session/telemetry/previews.ts'
import {
  aggregatesBySql,
  lockOf,
  specOf,
  draftOf,
  newDraft,
  problemsOf,
  specOfDraft,
} from './function-draft.ts'
import { FunctionFields, FunctionMore } from './FunctionFields.tsx'

/** What tells of functions, and is old when one has changed. */
const ofFunctions = [databaseFunctions.list]

type Props = {
  projectRef: string
  schema: string
  /** The one that is changed, or copied. */
  found?: DatabaseFunction
  duplicate?: boolean
  onClose: () => void
}

/** A function in the form, or as SQL for whoever tries the preview. */
function FunctionEditor(props: Props) {
  return usePreview(inlineEditor) ? <FunctionSql {...props} /> : <FunctionForm {...props} />
}

/** Makes a function, changes one, or makes one like another. */
function FunctionForm({ projectRef, schema, found, duplicate = false, onClose }: Props) {
  const before = found && specOf(found)
  const editing = before !== undefined && !duplicate
  const [draft, setDraft] = useState(() => {
    if (!before) return newDraft(schema)
    return draftOf(duplicate ? { ...before, name: `${before.name}_copy` } : before)
  })
  const problems = problemsOf(draft)
  const requested = specOfDraft(draft)
  const change = editing ? changeFunction(before, requested) : createFunction(requested)
  const anew = editing && !canReplace(before, requested)
  const what = draft.kind
  return (
    <ObjectForm
      projectRef={projectRef}
      size="xlarge"
      title={panelTitle(what, editing ? before.name : undefined)}
      review="Review SQL"
      asked={
        change && {
          change,
          verb: panelVerb(what, editing),
          danger: anew,
          done: `${requested.name} is ${editing ? 'changed' : 'created'}`,
          children: anew && <Anew />,
        }
      }
      problems={problems}
      forgets={ofFunctions}
      onClose={onClose}
    >
      {(shown) => (
        <>
          <FunctionFields
            {...{ projectRef, draft, problems: shown, onDraft: setDraft }}
            fixedKind={editing}
          />
          <FunctionMore {...{ projectRef, draft, problems: shown, onDraft: setDraft }} />
        </>
      )}
    </ObjectForm>
  )
}

const Anew = () => (
  <Alert variant="warning" title="It is deleted and created again">
    Postgres cannot change arguments or the result in place. Its execute privileges return to the
    default, and Postgres refuses while a trigger or view uses it.
  </Alert>
)

function FunctionSql({ projectRef, schema, found, duplicate = false, onClose }: Props) {
  const editing = found !== undefined && !duplicate
  const what = found?.kind ?? 'function'
  return (
    <SqlPanel
      projectRef={projectRef}
      kind={what}
      name={editing ? found.name : undefined}
      about={found?.name ?? ''}
      start={editing ? sqlOfFound(found) : sqlOfNew(schema, found)}
      done={`The ${what} is ${editing ? 'changed' : 'created'}`}
      forgets={ofFunctions}
      onClose={onClose}
    />
  )
}

/** As Postgres prints it. */
const sqlOfFound = ({ complete_statement: sql }: DatabaseFunction) =>
  `${sql.trim().replace(/;$/, '')};`

/** The frame of a new one, or one like another. */
function sqlOfNew(schema: string, like: DatabaseFunction | undefined): string {
  const spec = like
    ? { ...specOf(like), name: `${like.name}_copy` }
    : { ...specOfDraft(newDraft(schema)), name: 'new_function' }
  return sqlOf(createFunction(spec).statements)
}

/** /project/{ref}/database/functions */
export const functions: Resource<DatabaseFunction> = {
  title: 'Functions',
  help: 'Code that runs in the database: called by SQL, by triggers, and by programs through the API.',
  icon: SquareFunction,
  within: 'schema',
  find: { label: 'Find a function', name: 'find' },
  query: functionsQuery,
  rowsOf: (data) => data,
  keyOf: ({ id }) => String(id),
  narrow: byText(
    ({ name, argument_types, return_type, language }) =>
      `${name} ${argument_types} ${return_type} ${language}`,
  ),
  columns: functionColumns,
  empty: emptyList({
    one: 'function',
    searched: 'its name, arguments or result',
    none: (schema) => `There is no function in the schema ${schema}.`,
  }),
  needs: databaseFunctions.create,
  forgets: ofFunctions,
  create: {
    label: 'New function',
    panel: ({ projectRef, schema, close }) => (
      <FunctionEditor {...{ projectRef, schema }} onClose={close} />
    ),
  },
}

function functionColumns({
  projectRef,
  schema,
  why,
  locked,
  open,
  close,
}: Place<DatabaseFunction>): Column<DatabaseFunction>[] {
  const lock = (found: DatabaseFunction) => lockOf(found, locked) ?? why(databaseFunctions.update)
  const view = (found: DatabaseFunction) =>
    open(() => <FunctionView found={found} reason={lock(found)} onClose={close} />)
  const edit = (found: DatabaseFunction, duplicate: boolean) =>
    open(() => <FunctionEditor {...{ projectRef, schema, found, duplicate }} onClose={close} />)
  const show = (found: DatabaseFunction) => (lock(found) ? view(found) : edit(found, false))
  const drop = (found: DatabaseFunction) =>
    open(() => (
      <DropObject
        projectRef={projectRef}
        name={found.name}
        verb={`Delete ${found.kind === 'procedure' ? 'procedure' : 'function'}`}
        drop={(cascade) => dropFunction(specOf(found), cascade)}
        dependents="Triggers, views, defaults and indexes that use it. Without this, Postgres refuses while any exist."
        forgets={ofFunctions}
        onClose={close}
      >
        <p className="help">Anything that calls it by name fails from now on.</p>
      </DropObject>
    ))
  return [
    nameColumn({
      onOpen: show,
      badge: ({ kind, extension }) => (
        <>
          {kind !== 'function' && <Badge>{kind}</Badge>}
          {extension && <Badge>{extension}</Badge>}
        </>
      ),
    }),
    {
      id: 'args',
      head: 'Arguments',
      wideOnly: true,
      width: '30%',
      sortBy: ({ argument_types }) => argument_types,
      cell: ({ argument_types }) => <Sql of={argument_types} none="None" />,
    },
    {
      id: 'returns',
      head: 'Returns',
      wideOnly: true,
      width: '18%',
      sortBy: ({ return_type }) => return_type,
      cell: ({ return_type }) => <Sql of={return_type} none="Nothing" />,
    },
    {
      id: 'language',
      head: 'Language',
      wideOnly: true,
      width: '96px',
      sortBy: ({ language }) => language,
      cell: ({ language }) => <span className="mono">{language}</span>,
    },
    {
      id: 'security',
      head: 'Security',
      width: '96px',
      sortBy: ({ security_definer }) => security_definer,
      cell: ({ security_definer }) =>
        security_definer ? <Badge tone="warning">Definer</Badge> : 'Invoker',
    },
    actionsColumn((found) => (
      <>
        <MenuItem icon={Code} onSelect={() => view(found)}>
          View SQL
        </MenuItem>
        {isCalledByPrograms(found) && (
          <MenuItem
            icon={BookOpen}
            as={(look) => (
              <Link
                {...look}
                to="/project/$ref/api"
                params={{ ref: projectRef }}
                search={{ resource: `function-${found.id}` }}
              />
            )}
          >
            API docs
          </MenuItem>
        )}
        <MenuItem icon={Pencil} disabledReason={lock(found)} onSelect={() => show(found)}>
          Edit
        </MenuItem>
        <MenuItem
          icon={Copy}
          disabledReason={
            why(databaseFunctions.create) ?? (found.kind === 'aggregate' && aggregatesBySql)
          }
          onSelect={() => edit(found, true)}
        >
          Duplicate
        </MenuItem>
        <MenuSeparator />
        <MenuItem icon={Trash2} danger disabledReason={lock(found)} onSelect={() => drop(found)}>
          Delete
        </MenuItem>
      </>
    )),
  ]
}

/** What the data API offers of a schema that it usually has. */
const isCalledByPrograms = ({ schema, kind, return_type }: DatabaseFunction) =>
  schema === 'public' && kind === 'function' && !/^(event_)?trigger$/.test(return_type)

/** One line; what is longer is read in full as a title. */
const Sql = ({ of, none }: { of: string; none: string }) =>
  of === '' ? (
    <span className="faint">{none}</span>
  ) : (
    <span className="mono object-sql" title={of}>
      {of}
    </span>
  )

type ViewProps = { found: DatabaseFunction; reason: string | undefined; onClose: () => void }

/** A function to read: all of it as SQL, and why it is not changed here. */
function FunctionView({ found, reason, onClose }: ViewProps) {
  return (
    <SidePanel
      open
      size="xlarge"
      onClose={onClose}
      title={<span className="mono">{found.name}</span>}
    >
      <div className="form-stack">
        {reason && <Alert variant="neutral" title={reason} />}
        {found.comment && <p className="help">{found.comment}</p>}
        <CodeBlock code={found.complete_statement.trimEnd()} language="sql" what="SQL" />
      </div>
    </SidePanel>
  )
}
