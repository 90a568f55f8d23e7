import { useQuery } from '@tanstack/react-query'
import { Plus, UserCog } from 'lucide-react'
import { useState } from 'react'
import { databaseObjects } from '#contract/database/database-objects'
import { useDenials } from '../../../session/organization/permissions.ts'
import { useProject } from '../../../session/project/use-project.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { Page } from '../../../ui/Page.tsx'
import { PageHead } from '../../../ui/PageHead.tsx'
import { SearchField } from '../../../ui/controls/SearchField.tsx'
import { Segmented } from '../../../ui/controls/Segmented.tsx'
import { Table } from '../../../ui/lists/Table.tsx'
import { ConnectionsGauge } from './ConnectionsGauge.tsx'
import { isPlatformRole } from './platform-roles.ts'
import { rolesQuery, serverQuery } from './queries.ts'
import { roleColumns } from './role-columns.tsx'
import { RolePanel } from './RolePanel.tsx'
import '../../../ui/lists/list-page.css'

export type RoleFilter = { q?: string | undefined; of?: string | undefined }
type Props = {
  projectRef: string
  filter: RoleFilter
  onFilter: (filter: RoleFilter) => void
}

/** /project/{ref}/database/roles */
export function RolesPage({ projectRef, filter, onFilter }: Props) {
  const { q = '', of = 'all' } = filter
  const query = useQuery(rolesQuery(projectRef))
  const { data: server } = useQuery(serverQuery(projectRef))
  const [open, setOpen] = useState<number | 'new'>()
  const why = useDenials(useProject(projectRef))(databaseObjects.createRole)
  const words = q.toLowerCase()
  // Postgres's own groups of rights cannot log in and are only given to others.
  const roles = query.data?.filter(({ name }) => !name.startsWith('pg_'))
  const rows = roles?.filter(
    ({ name }) =>
      name.toLowerCase().includes(words) &&
      (of === 'all' || isPlatformRole(name) === (of === 'platform')),
  )
  const role = query.data?.find(({ id }) => id === open)
  const create = (
    <Button variant="primary" icon={Plus} disabledReason={why} onClick={() => setOpen('new')}>
      Create role
    </Button>
  )
  return (
    <Page>
      <PageHead
        title="Roles"
        help="Roles that can connect to this database, and their attributes. Grants and policies set what a role can do with tables."
        actions={create}
      />
      {server && <ConnectionsGauge server={server} roles={query.data ?? []} />}
      <div className="narrow-bar">
        <SearchField
          label="Find a role"
          value={q}
          onChange={(next) => onFilter({ ...filter, q: next })}
        />
        <Segmented
          label="Whose"
          value={of}
          options={[
            { value: 'all', label: 'All' },
            { value: 'own', label: 'Your own' },
            { value: 'platform', label: "The platform's" },
          ]}
          onChange={(next) => onFilter({ ...filter, of: next === 'all' ? undefined : next })}
        />
      </div>
      <div className="card">
        <Table
          label="Roles"
          columns={roleColumns(({ id }) => setOpen(id))}
          rows={rows}
          keyOf={({ id }) => String(id)}
          error={query.error}
          onRetry={() => void query.refetch()}
          empty={
            of === 'own' && q === '' ? (
              <EmptyState icon={UserCog} title="No custom roles yet" action={create}>
                Create one for each program that connects, so that each has its own privileges and
                limits.
              </EmptyState>
            ) : (
              <EmptyState
                icon={UserCog}
                title="No role found"
                action={<Button onClick={() => onFilter({})}>Show all</Button>}
              >
                No name contains “{q}”.
              </EmptyState>
            )
          }
        />
      </div>
      {open !== undefined && (open === 'new' || role) && (
        <RolePanel
          key={open}
          projectRef={projectRef}
          role={role}
          others={query.data ?? []}
          isSuperuser={server?.is_superuser ?? false}
          why={why}
          onClose={() => setOpen(undefined)}
        />
      )}
    </Page>
  )
}
