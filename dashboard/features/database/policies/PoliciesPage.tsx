import { useInfiniteQuery } from '@tanstack/react-query'
import { BookOpen, SearchX, Table2 } from 'lucide-react'
import { useDeferredValue } from 'react'
import { databasePolicies } from '#contract/database/database-policies'
import { useContent } from '../../../session/organization/mode.ts'
import { useDenials } from '../../../session/organization/permissions.ts'
import { protection } from '../../../modules/objects/protected-schemas.ts'
import { SchemaSelect } from '../../../modules/objects/SchemaSelect.tsx'
import { useProject } from '../../../session/project/project.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorNote } from '../../../ui/ErrorNote.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import { Page, PageHead } from '../../../ui/Page.tsx'
import { SearchField } from '../../../ui/controls/SearchField.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { guardedTablesQuery } from './queries.ts'
import { RlsTester } from './RlsTester.tsx'
import type { PoliciesSearch } from './search.ts'
import { TableCard } from './TableCard.tsx'
import '../../../ui/lists/objects.css'
import './policies.css'

type Props = {
  projectRef: string
  search: PoliciesSearch
  onSearch: (search: PoliciesSearch) => void
}

/** /project/{ref}/auth/policies and /project/{ref}/database/policies: who sees and changes which rows, table by table. */
export function PoliciesPage({ projectRef, search, onSearch }: Props) {
  const { schema = 'public', find = '', tester } = search
  const { row_level_security_guide: guide } = useContent()
  const needle = useDeferredValue(find.trim())
  const query = useInfiniteQuery(guardedTablesQuery(projectRef, schema, needle))
  const denied = useDenials(useProject(projectRef))(databasePolicies.create)
  const locked = denied ?? protection(schema)
  const tables = query.data?.pages.flatMap((page) => page.tables)
  const { tester: _, ...rest } = search
  return (
    <Page>
      <PageHead
        title="Policies"
        help="Row level security controls which rows each role can see, add, change and delete."
        actions={
          guide && (
            <a className="btn" href={guide} target="_blank" rel="noreferrer">
              <Icon of={BookOpen} size="s" />
              Guide
            </a>
          )
        }
      />
      <div className="object-bar">
        <SchemaSelect
          projectRef={projectRef}
          schema={schema}
          onSchema={(next) => onSearch({ ...rest, schema: next })}
        />
        <SearchField
          label="Find a table or policy"
          width={260}
          value={find}
          onChange={(text) => onSearch({ ...search, find: text })}
        />
        {protection(schema) && <p className="help">{protection(schema)}</p>}
      </div>
      {query.error && !tables && (
        <ErrorNote what="Policies" error={query.error} onRetry={() => void query.refetch()} />
      )}
      {query.isPending && <Waiting />}
      {tables?.map((table) => (
        <TableCard
          key={table.id}
          projectRef={projectRef}
          table={table}
          locked={locked}
          onTest={() => onSearch({ ...search, tester: table.id })}
        />
      ))}
      {tables?.length === 0 && (
        <div className="card">
          {needle ? (
            <EmptyState icon={SearchX} title="No table or policy matches">
              No table or policy name in {schema} contains “{needle}”.
            </EmptyState>
          ) : (
            <EmptyState icon={Table2} title="No tables yet">
              The schema {schema} has no tables. Policies belong to tables.
            </EmptyState>
          )}
        </div>
      )}
      {query.hasNextPage && (
        <Button busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          Show more tables
        </Button>
      )}
      {tester !== undefined && (
        <RlsTester
          key={tester}
          projectRef={projectRef}
          tableId={tester}
          onClose={() => onSearch(rest)}
        />
      )}
    </Page>
  )
}

function Waiting() {
  return (
    <div aria-busy>
      {[140, 100, 180].map((width) => (
        <section key={width} className="card policy-table">
          <header>
            <Skeleton width={width} />
          </header>
          <div className="pad">
            <Skeleton width="40%" />
          </div>
        </section>
      ))}
    </div>
  )
}
