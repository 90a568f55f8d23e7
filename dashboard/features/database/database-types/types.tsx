import { Pencil, ScrollText, Shapes, Trash2 } from 'lucide-react'
import { sqlOf } from '#contract/ddl/change'
import { createType, dropType } from '#contract/ddl/types'
import { migrations } from '#contract/database/migrations'
import type { CustomType } from '#contract/database/database-types'
import { DropObject } from '../../../modules/objects/list/DropObject.tsx'
import { typesQuery } from '../../../modules/objects/lists.ts'
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
import { EnumForm, ofTypes } from './EnumForm.tsx'

/** /project/{ref}/database/types */
export const types: Resource<CustomType> = {
  title: 'Types',
  help: 'Your own types: enums with a fixed list of values, composite types, domains and ranges.',
  icon: Shapes,
  within: 'schema',
  find: { label: 'Find a type', name: 'find' },
  query: typesQuery,
  rowsOf: (data) => data,
  keyOf: ({ id }) => String(id),
  narrow: byText((type) => `${type.name} ${type.kind} ${partsOf(type)}`),
  columns: typeColumns,
  empty: emptyList({
    one: 'type',
    searched: 'its name or parts',
    none: (schema) => `The schema ${schema} has no types of your own.`,
  }),
  needs: migrations.change,
  forgets: ofTypes,
  create: {
    label: 'New enum',
    panel: ({ projectRef, schema, close }) => (
      <EnumForm {...{ projectRef, schema }} onClose={close} />
    ),
  },
}

function typeColumns({
  projectRef,
  schema,
  denied,
  open,
  close,
}: Place<CustomType>): Column<CustomType>[] {
  const lock = ({ extension }: CustomType) =>
    denied ?? (extension ? `It belongs to the extension ${extension}` : undefined)
  const show = (type: CustomType) =>
    open(() =>
      type.kind === 'enum' && !lock(type) ? (
        <EnumForm {...{ projectRef, schema, type }} onClose={close} />
      ) : (
        <TypeView type={type} reason={lock(type)} onClose={close} />
      ),
    )
  const drop = (type: CustomType) =>
    open(() => (
      <DropObject
        projectRef={projectRef}
        name={type.name}
        verb="Delete type"
        drop={(cascade) => dropType(type, cascade)}
        dependents="Those columns with all their values, and functions that accept or return it. Without this, Postgres refuses while any exist."
        typeNameToCascade={type.name}
        forgets={ofTypes}
        onClose={close}
      >
        <UsedBy type={type} />
      </DropObject>
    ))
  return [
    nameColumn({
      onOpen: show,
      badge: ({ extension }) => extension && <Badge>{extension}</Badge>,
    }),
    {
      id: 'kind',
      head: 'Kind',
      width: '104px',
      sortBy: ({ kind }) => kind,
      cell: ({ kind }) => kind,
    },
    {
      id: 'parts',
      head: 'Made of',
      wideOnly: true,
      width: '46%',
      cell: (type) => (
        <span className="mono object-sql long" title={partsOf(type)}>
          {partsOf(type)}
        </span>
      ),
    },
    {
      id: 'used',
      head: 'Columns',
      numeric: true,
      width: '88px',
      sortBy: ({ used_by }) => used_by.length,
      cell: ({ used_by }) => (used_by.length >= 20 ? '20+' : used_by.length),
    },
    actionsColumn((type) => (
      <>
        {type.kind === 'enum' ? (
          <MenuItem icon={Pencil} disabledReason={lock(type)} onSelect={() => show(type)}>
            Edit
          </MenuItem>
        ) : (
          <MenuItem icon={ScrollText} onSelect={() => show(type)}>
            View definition
          </MenuItem>
        )}
        <MenuSeparator />
        <MenuItem icon={Trash2} danger disabledReason={lock(type)} onSelect={() => drop(type)}>
          Delete
        </MenuItem>
      </>
    )),
  ]
}

type ViewProps = { type: CustomType; reason: string | undefined; onClose: () => void }

/** A type to read: its parts, what it would take to make it, and the columns that have it. */
function TypeView({ type, reason, onClose }: ViewProps) {
  return (
    <SidePanel
      open
      size="large"
      onClose={onClose}
      title={
        <>
          <span className="mono">{type.name}</span> {type.kind}
        </>
      }
    >
      <div className="form-stack">
        {reason && <Alert variant="neutral" title={reason} />}
        {type.comment && <p className="help">{type.comment}</p>}
        {type.attributes.length > 0 && (
          <table className="tbl rows-32" aria-label="Attributes">
            <thead>
              <tr>
                <th>Attribute</th>
                <th>Type</th>
              </tr>
            </thead>
            <tbody>
              {type.attributes.map((attribute) => (
                <tr key={attribute.name}>
                  <td className="mono">{attribute.name}</td>
                  <td className="mono">{attribute.type}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
        <CodeBlock code={sqlOf(createType(type).statements)} language="sql" what="SQL" />
        <UsedBy type={type} />
      </div>
    </SidePanel>
  )
}

/** The columns that have a type. */
function UsedBy({ type }: { type: CustomType }) {
  if (type.used_by.length === 0) return <p className="help">No column has this type.</p>
  return (
    <div>
      <p className="help">Columns that have it:</p>
      <ul className="plain-list mono">
        {type.used_by.map(({ schema, table, column }) => (
          <li key={`${schema}.${table}.${column}`}>
            {schema}.{table}.{column}
          </li>
        ))}
      </ul>
    </div>
  )
}

/** What a type is made of, in one line. */
function partsOf(type: CustomType): string {
  switch (type.kind) {
    case 'enum':
      return type.values.join(', ')
    case 'composite':
      return type.attributes.map(({ name, type: of }) => `${name} ${of}`).join(', ')
    case 'range':
      return `of ${type.base_type}`
    case 'domain':
      return [
        type.base_type,
        ...(type.not_null ? ['not null'] : []),
        ...(type.default_value === null ? [] : [`default ${type.default_value}`]),
        ...type.checks.map(({ definition }) => definition),
      ].join(' ')
  }
}
