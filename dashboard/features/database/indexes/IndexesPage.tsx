import { useQuery } from '@tanstack/react-query'
import { Lightbulb, ListTree, Plus } from 'lucide-react'
import { useMemo, useState } from 'react'
import type { Index } from '#contract/database/database-object-shapes'
import { databaseObjects } from '#contract/database/database-objects'
import { rebuildIndex } from '#contract/ddl/indexes'
import { migrations } from '#contract/database/migrations'
import { useDenials } from '../../../session/organization/permissions.ts'
import { protection } from '../../../modules/objects/protected-schemas.ts'
import { SchemaSelect } from '../../../modules/objects/SchemaSelect.tsx'
import { useProject } from '../../../session/project/use-project.ts'
import { useReview } from '../../../modules/objects/use-review.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { Page } from '../../../ui/Page.tsx'
import { PageHead } from '../../../ui/PageHead.tsx'
import { SearchField } from '../../../ui/controls/SearchField.tsx'
import { Segmented } from '../../../ui/controls/Segmented.tsx'
import { Table } from '../../../ui/lists/Table.tsx'
import { CreateIndexPanel } from './CreateIndexPanel.tsx'
import { askToDropIndex } from './drop-words.tsx'
import { indexColumns } from './index-columns.tsx'
import { indexMarks } from './index-marks.ts'
import { IndexAdvisor } from './IndexAdvisor.tsx'
import { IndexPanel } from './IndexPanel.tsx'
import { indexesQuery } from './queries.ts'
import '../../../ui/lists/list-page.css'

export type IndexFilter = {
  schema?: string | undefined
  q?: string | undefined
  mark?: string | undefined
}
type Props = {
  projectRef: string
  filter: IndexFilter
  onFilter: (filter: IndexFilter) => void
}

/** /project/{ref}/database/indexes */
export function IndexesPage({ projectRef, filter, onFilter }: Props) {
  const { schema = 'public', q = '', mark = 'all' } = filter
  const query = useQuery(indexesQuery(projectRef, schema))
  const [open, setOpen] = useState<Index>()
  const [creating, setCreating] = useState(false)
  const [advising, setAdvising] = useState(false)
  const { ask, dialog } = useReview(projectRef, databaseObjects.indexes)
  const why = useDenials(useProject(projectRef))(migrations.change) ?? protection(schema)
  const here = useMemo(
    () => query.data?.filter((one) => one.schema === schema),
    [query.data, schema],
  )
  const marks = useMemo(() => indexMarks(here ?? []), [here])
  const words = q.toLowerCase()
  const rows = here?.filter(
    (one) =>
      `${one.name} ${one.table}`.toLowerCase().includes(words) &&
      (mark === 'all' || marks.get(one.id)?.some(({ kind }) => ofMark(kind) === mark)),
  )
  const create = (
    <Button variant="primary" icon={Plus} disabledReason={why} onClick={() => setCreating(true)}>
      Create index
    </Button>
  )
  const drop = (index: Index) => ask({ ...askToDropIndex(index), onDone: () => setOpen(undefined) })
  const rebuild = (index: Index) =>
    ask({
      change: rebuildIndex(index),
      title: `Rebuild ${index.name}`,
      verb: 'Rebuild index',
      done: `${index.name} is rebuilt`,
      children: <p>Reads and writes continue meanwhile. A large index can take a while.</p>,
    })
  return (
    <Page>
      <PageHead
        title="Indexes"
        help="Indexes make reads faster and writes a little slower. See which ones are used."
        actions={
          <>
            <Button icon={Lightbulb} onClick={() => setAdvising(true)}>
              Index advisor
            </Button>
            {here?.length === 0 ? undefined : create}
          </>
        }
      />
      <div className="narrow-bar">
        <div className="narrow-select">
          <SchemaSelect
            projectRef={projectRef}
            schema={schema}
            onSchema={(next) => onFilter({ ...filter, schema: next })}
          />
        </div>
        <SearchField
          label="Find an index or table"
          value={q}
          onChange={(next) => onFilter({ ...filter, q: next })}
        />
        <Segmented
          label="Marks"
          value={mark}
          options={[
            { value: 'all', label: 'All' },
            { value: 'unused', label: 'Unused' },
            { value: 'duplicate', label: 'Duplicate' },
            { value: 'invalid', label: 'Invalid' },
          ]}
          onChange={(next) => onFilter({ ...filter, mark: next === 'all' ? undefined : next })}
        />
      </div>
      <div className="card">
        <Table
          key={`${schema} ${q} ${mark}`}
          label="Indexes"
          columns={indexColumns({ marks, why, onOpen: setOpen, onDrop: drop, onRebuild: rebuild })}
          rows={rows}
          keyOf={({ id }) => String(id)}
          error={query.error}
          onRetry={() => void query.refetch()}
          empty={
            here?.length === 0 ? (
              <EmptyState icon={ListTree} title={`No index in ${schema}`} action={create}>
                A primary key creates one automatically; create others for columns that are searched
                often.
              </EmptyState>
            ) : (
              <EmptyState
                icon={ListTree}
                title="No index found"
                action={<Button onClick={() => onFilter({ schema })}>Show all</Button>}
              >
                No index of {schema} has this name and this mark.
              </EmptyState>
            )
          }
        />
      </div>
      {open && (
        <IndexPanel
          index={open}
          marks={marks.get(open.id) ?? []}
          why={why}
          onDrop={() => drop(open)}
          onClose={() => setOpen(undefined)}
        />
      )}
      {advising && <IndexAdvisor projectRef={projectRef} onClose={() => setAdvising(false)} />}
      {creating && (
        <CreateIndexPanel
          projectRef={projectRef}
          schema={schema}
          onClose={() => setCreating(false)}
        />
      )}
      {dialog}
    </Page>
  )
}

const ofMark = (kind: string) => (kind === 'covered' ? 'duplicate' : kind)
