import { Code, Lightbulb, ListTree, RefreshCw, Trash2 } from 'lucide-react'
import { useMemo } from 'react'
import type { Index } from '#contract/database/database-object-shapes'
import { dropIndex, rebuildIndex } from '#contract/ddl/indexes'
import { migrations } from '#contract/database/migrations'
import { indexesQuery } from '../../../modules/objects/lists.ts'
import { actionsColumn, nameColumn } from '../../../modules/objects/list/object-columns.tsx'
import { noneFound, type Place, type Resource } from '../../../modules/objects/list/resource.tsx'
import type { Asked } from '../../../modules/objects/ReviewChange.tsx'
import { Alert } from '../../../ui/Alert.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { MenuItem } from '../../../ui/floats/MenuItem.tsx'
import { SidePanel } from '../../../ui/floats/SidePanel.tsx'
import type { Column } from '../../../ui/lists/Table.tsx'
import { Badge } from '../../../ui/text/Badge.tsx'
import { CodeBlock } from '../../../ui/text/CodeBlock.tsx'
import { numberText, bytesText } from '../../../ui/text/number.ts'
import { Time } from '../../../ui/text/Time.tsx'
import { IndexAdvisor } from './IndexAdvisor.tsx'
import { IndexForm, ofIndexes } from './IndexForm.tsx'
import { indexMarks, sentenceOf, wordOf, type IndexMark } from './index-advice.ts'

/** What is wrong with each, by id. */
type More = { marks: ReadonlyMap<number, IndexMark[]> }

/** /project/{ref}/database/indexes */
export const indexes: Resource<Index, More> = {
  title: 'Indexes',
  help: 'Indexes make reads faster and writes a little slower. See which ones are used.',
  icon: ListTree,
  within: 'schema',
  find: { label: 'Find an index or table', name: 'q' },
  choices: [
    {
      name: 'mark',
      label: 'Marks',
      options: [
        { value: 'all', label: 'All' },
        { value: 'unused', label: 'Unused' },
        { value: 'duplicate', label: 'Duplicate' },
        { value: 'invalid', label: 'Invalid' },
      ],
    },
  ],
  query: indexesQuery,
  rowsOf: (data, schema) => data.filter((one) => one.schema === schema),
  useMore: (_, rows) => ({ marks: useMemo(() => indexMarks(rows ?? []), [rows]) }),
  keyOf: ({ id }) => String(id),
  narrow: (rows, { text, search: { mark = 'all' }, more: { marks } }) =>
    rows.filter(
      (one) =>
        `${one.name} ${one.table}`.toLowerCase().includes(text) &&
        (mark === 'all' || marks.get(one.id)?.some(({ kind }) => ofMark(kind) === mark)),
    ),
  columns: indexColumns,
  empty: (place) =>
    place.rows?.length === 0 ? (
      <EmptyState icon={ListTree} title={`No index in ${place.schema}`} action={place.create}>
        A primary key creates one automatically; create others for columns that are searched often.
      </EmptyState>
    ) : (
      noneFound(place, 'No index found', `No index of ${place.schema} has this name and this mark.`)
    ),
  needs: migrations.change,
  forgets: ofIndexes,
  create: {
    label: 'Create index',
    panel: ({ projectRef, schema, close }) => (
      <IndexForm {...{ projectRef, schema }} onClose={close} />
    ),
  },
  actions: ({ projectRef, rows, create, open, close }) => (
    <>
      <Button
        icon={Lightbulb}
        onClick={() => open(() => <IndexAdvisor projectRef={projectRef} onClose={close} />)}
      >
        Index advisor
      </Button>
      {rows?.length === 0 ? undefined : create}
    </>
  ),
}

const ofMark = (kind: string) => (kind === 'covered' ? 'duplicate' : kind)

function indexColumns({ denied, more, ask, open, close }: Place<Index, More>): Column<Index>[] {
  const drop = (index: Index) => ask({ ...askToDrop(index), onDone: close })
  const show = (index: Index) =>
    open(({ more: { marks } }) => (
      <IndexPanel
        index={index}
        marks={marks.get(index.id) ?? []}
        why={denied}
        onDrop={() => drop(index)}
        onClose={close}
      />
    ))
  return [
    nameColumn({ onOpen: show }),
    {
      id: 'table',
      head: 'Table',
      sortBy: ({ table }) => table,
      cell: ({ table }) => <span className="mono">{table}</span>,
    },
    {
      id: 'columns',
      head: 'On',
      wideOnly: true,
      cell: ({ index_attributes: attributes, access_method: method }) => (
        <span className="mono ell" title={attributes.map((one) => one.attribute_name).join(', ')}>
          <span className="faint">{method} </span>
          {attributes.map((one) => one.attribute_name).join(', ')}
        </span>
      ),
    },
    {
      id: 'marks',
      head: 'Marks',
      cell: (index) => (
        <span className="badges">
          {index.is_primary && <Badge>Primary key</Badge>}
          {index.is_unique && !index.is_primary && <Badge>Unique</Badge>}
          <MarkBadges marks={more.marks.get(index.id) ?? []} />
        </span>
      ),
    },
    {
      id: 'size',
      head: 'Size',
      numeric: true,
      width: '90px',
      sortBy: ({ bytes }) => bytes,
      cell: ({ bytes }) => bytesText(bytes),
    },
    {
      id: 'scans',
      head: 'Scans',
      numeric: true,
      width: '90px',
      wideOnly: true,
      sortBy: ({ scans }) => scans,
      cell: ({ scans }) => numberText(scans),
    },
    actionsColumn((index) => (
      <>
        <MenuItem icon={Code} onSelect={() => show(index)}>
          View definition
        </MenuItem>
        <MenuItem
          icon={RefreshCw}
          disabledReason={denied}
          onSelect={() => ask(askToRebuild(index))}
        >
          Rebuild
        </MenuItem>
        <MenuItem
          icon={Trash2}
          danger
          disabledReason={denied ?? heldBy(index)}
          onSelect={() => drop(index)}
        >
          Drop index
        </MenuItem>
      </>
    )),
  ]
}

/** Why an index cannot be dropped by itself; undefined when it can. */
const heldBy = ({ constraint }: Index) =>
  constraint === null
    ? undefined
    : `The constraint ${constraint} depends on it: drop the constraint instead`

const askToDrop = (index: Index): Asked => ({
  change: dropIndex({ ...index, definition: index.index_definition }),
  title: `Drop ${index.name}`,
  verb: 'Drop index',
  danger: true,
  done: `${index.name} is dropped`,
  children: (
    <p>
      No row is lost. Queries that use it get slower: it was used {numberText(index.scans)}{' '}
      {index.scans === 1 ? 'time' : 'times'} since the statistics were last reset.
    </p>
  ),
})

const askToRebuild = (index: Index): Asked => ({
  change: rebuildIndex(index),
  title: `Rebuild ${index.name}`,
  verb: 'Rebuild index',
  done: `${index.name} is rebuilt`,
  children: <p>Reads and writes continue meanwhile. A large index can take a while.</p>,
})

type PanelProps = {
  index: Index
  marks: readonly IndexMark[]
  why: string | undefined
  onDrop: () => void
  onClose: () => void
}

/** One index: its definition, what it weighs, and what is wrong with it. */
function IndexPanel({ index, marks, why, onDrop, onClose }: PanelProps) {
  return (
    <SidePanel
      open
      size="xlarge"
      onClose={onClose}
      title={<span className="mono">{index.name}</span>}
      footer={
        <Button size="form" variant="danger" disabledReason={why ?? heldBy(index)} onClick={onDrop}>
          Drop index
        </Button>
      }
    >
      {marks.map((mark) => (
        <Alert
          key={mark.kind}
          variant={mark.kind === 'invalid' ? 'danger' : 'warning'}
          title={sentenceOf(mark)}
        />
      ))}
      <CodeBlock code={`${index.index_definition};`} language="sql" what="Definition" />
      <dl className="defs">
        <dt>Table</dt>
        <dd className="mono">
          {index.schema}.{index.table}
        </dd>
        <dt>Size</dt>
        <dd>{bytesText(index.bytes)}</dd>
        <dt>Scans</dt>
        <dd>{numberText(index.scans)}</dd>
        <dt>Last scan</dt>
        <dd>{index.last_scan ? <Time at={index.last_scan} /> : 'Never'}</dd>
        {index.constraint && (
          <>
            <dt>Constraint</dt>
            <dd className="mono">{index.constraint}</dd>
          </>
        )}
        {index.comment && (
          <>
            <dt>Comment</dt>
            <dd>{index.comment}</dd>
          </>
        )}
      </dl>
    </SidePanel>
  )
}

/** What is wrong with an index, in a word each, with the sentence on hover. */
function MarkBadges({ marks }: { marks: readonly IndexMark[] }) {
  return (
    <span className="badges">
      {marks.map((mark) => (
        <span key={mark.kind} title={sentenceOf(mark)}>
          <Badge tone={mark.kind === 'invalid' ? 'danger' : 'warning'}>{wordOf(mark)}</Badge>
        </span>
      ))}
    </span>
  )
}
