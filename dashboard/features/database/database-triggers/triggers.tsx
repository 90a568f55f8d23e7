import { Zap } from 'lucide-react'
import { databaseTriggers, type DatabaseTrigger } from '#contract/database/database-triggers'
import { dropTrigger, type EnabledMode } from '#contract/ddl/triggers'
import { DeleteTitle } from '../../../modules/objects/list/DropObject.tsx'
import { triggersQuery } from '../../../modules/objects/lists.ts'
import {
  changeColumn,
  codeColumn,
  nameColumn,
} from '../../../modules/objects/list/object-columns.tsx'
import {
  byText,
  emptyList,
  type Place,
  type Resource,
  type Texts,
} from '../../../modules/objects/list/resource.tsx'
import { modeNames } from '../../../modules/objects/TriggerTarget.tsx'
import type { Column } from '../../../ui/lists/Table.tsx'
import { Tabs } from '../../../ui/navigation/Tabs.tsx'
import { Badge } from '../../../ui/text/Badge.tsx'
import { momentOf } from './trigger-draft.ts'
import { ofTriggers, TriggerEditor } from './TriggerEditor.tsx'

/** What the two lists of /project/{ref}/database/triggers have in common. */
export const ofBoth = {
  title: 'Triggers',
  help: 'Functions that the database calls when rows or its structure change.',
  icon: Zap,
  find: { label: 'Find a trigger', name: 'find' },
  tabs: ({ search, onSearch }: { search: Texts; onSearch: (search: Texts) => void }) => (
    <Tabs
      label="Kind of trigger"
      look="pills"
      tabs={[
        { id: 'tables', label: 'Of tables' },
        { id: 'events', label: 'Event triggers' },
      ]}
      value={search['tab'] === 'events' ? 'events' : 'tables'}
      onChange={(next) => onSearch({ ...search, tab: next === 'events' ? next : undefined })}
    />
  ),
} as const

/** The triggers of the tables and views of a schema. */
export const triggers: Resource<DatabaseTrigger> = {
  ...ofBoth,
  within: 'schema',
  query: triggersQuery,
  rowsOf: (data) => data,
  keyOf: ({ id }) => String(id),
  narrow: byText((one) => `${one.name} ${one.table} ${one.function_name} ${momentOf(one)}`),
  columns: triggerColumns,
  empty: emptyList({
    one: 'trigger',
    searched: 'its name, table, function or events',
    none: (schema) => `No table of the schema ${schema} has a trigger.`,
  }),
  needs: databaseTriggers.create,
  forgets: ofTriggers,
  create: {
    label: 'New trigger',
    panel: ({ projectRef, schema, close }) => (
      <TriggerEditor {...{ projectRef, schema }} onClose={close} />
    ),
  },
}

function triggerColumns(place: Place<DatabaseTrigger>): Column<DatabaseTrigger>[] {
  const { projectRef, schema, locked, why, open, close, ask } = place
  const lock = locked ?? why(databaseTriggers.update)
  const edit = (found: DatabaseTrigger) =>
    open(() => <TriggerEditor {...{ projectRef, schema, found }} onClose={close} />)
  const drop = (trigger: DatabaseTrigger) =>
    ask({
      change: dropTrigger(trigger),
      title: <DeleteTitle name={trigger.name} />,
      verb: 'Delete trigger',
      danger: true,
      done: `${trigger.name} is deleted`,
      children: (
        <p className="help">
          Its function stays. What it did when rows of {trigger.table} changed is no longer done.
        </p>
      ),
    })
  return [
    nameColumn({
      width: '24%',
      lock,
      onOpen: edit,
      badge: ({ constraint }) => constraint && <Badge>constraint</Badge>,
    }),
    codeColumn('Table', ({ table }) => table),
    {
      id: 'moment',
      head: 'When',
      wideOnly: true,
      sortBy: momentOf,
      cell: (trigger) => (
        <span className="mono object-sql" title={momentOf(trigger)}>
          {momentOf(trigger)}
        </span>
      ),
    },
    {
      id: 'each',
      head: 'For each',
      wideOnly: true,
      width: '104px',
      sortBy: ({ orientation }) => orientation,
      cell: ({ orientation }) => orientation.toLowerCase(),
    },
    {
      id: 'function',
      head: 'Function',
      wideOnly: true,
      sortBy: ({ function_name }) => function_name,
      cell: ({ function_schema, function_name, schema }) => (
        <span className="mono">
          {function_schema === schema ? function_name : `${function_schema}.${function_name}`}
        </span>
      ),
    },
    enabledColumn(),
    changeColumn(() => lock, edit, drop),
  ]
}

export const enabledColumn = <Row extends { enabled_mode: EnabledMode }>(): Column<Row> => ({
  id: 'enabled',
  head: 'Enabled',
  width: '112px',
  sortBy: ({ enabled_mode }) => modeNames[enabled_mode],
  cell: ({ enabled_mode }) => (
    <Badge dot tone={enabled_mode === 'DISABLED' ? 'neutral' : 'success'}>
      {modeNames[enabled_mode]}
    </Badge>
  ),
})
