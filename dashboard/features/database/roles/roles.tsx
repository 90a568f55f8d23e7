import { useQuery } from '@tanstack/react-query'
import { UserCog } from 'lucide-react'
import type { Role } from '#contract/database/database-object-shapes'
import { databaseObjects } from '#contract/database/database-objects'
import type { DatabaseServer } from '#contract/database/database-server'
import { rolesQuery, serverQuery } from '../../../modules/objects/lists.ts'
import { nameColumn } from '../../../modules/objects/list/object-columns.tsx'
import { noneFound, type Place, type Resource } from '../../../modules/objects/list/resource.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import type { Column } from '../../../ui/lists/Table.tsx'
import { Meter } from '../../../ui/Meter.tsx'
import { Badge } from '../../../ui/text/Badge.tsx'
import { flagWords, isPlatformRole, ofRoles, RoleForm } from './RoleForm.tsx'

/** What the page knows of the server beside its roles. */
type More = DatabaseServer | undefined

/** /project/{ref}/database/roles */
export const roles: Resource<Role, More> = {
  title: 'Roles',
  help: 'Roles that can connect to this database, and their attributes. Grants and policies set what a role can do with tables.',
  icon: UserCog,
  within: 'database',
  find: { label: 'Find a role', name: 'q' },
  choices: [
    {
      name: 'of',
      label: 'Whose',
      options: [
        { value: 'all', label: 'All' },
        { value: 'own', label: 'Your own' },
        { value: 'platform', label: "The platform's" },
      ],
    },
  ],
  query: rolesQuery,
  rowsOf: (data) => data,
  useMore: (projectRef) => useQuery(serverQuery(projectRef)).data,
  keyOf: ({ id }) => String(id),
  // Postgres's own groups of rights cannot log in and are only given to others.
  narrow: (rows, { text, search: { of = 'all' } }) =>
    rows.filter(
      ({ name }) =>
        !name.startsWith('pg_') &&
        name.toLowerCase().includes(text) &&
        (of === 'all' || isPlatformRole(name) === (of === 'platform')),
    ),
  columns: roleColumns,
  empty: (place) => {
    const { of, q = '' } = place.search
    return of === 'own' && q === '' ? (
      <EmptyState icon={UserCog} title="No custom roles yet" action={place.create}>
        Create one for each program that connects, so that each has its own privileges and limits.
      </EmptyState>
    ) : (
      noneFound(place, 'No role found', `No name contains “${q}”.`)
    )
  },
  needs: databaseObjects.createRole,
  forgets: ofRoles,
  create: { label: 'Create role', panel: (place) => roleForm(place, undefined) },
  above: ({ more, rows = [] }) => more && <ConnectionsGauge server={more} roles={rows} />,
}

const roleForm = (place: Place<Role, More>, role: Role | undefined) => (
  <RoleForm
    projectRef={place.projectRef}
    role={place.rows?.find(({ id }) => id === role?.id) ?? role}
    others={place.rows ?? []}
    isSuperuser={place.more?.is_superuser ?? false}
    why={place.denied}
    onClose={place.close}
  />
)

function roleColumns({ open }: Place<Role, More>): Column<Role>[] {
  return [
    nameColumn({ onOpen: (role) => open((place) => roleForm(place, role)) }),
    {
      id: 'whose',
      head: 'Whose',
      width: '120px',
      wideOnly: true,
      sortBy: ({ name }) => isPlatformRole(name),
      cell: ({ name }) =>
        isPlatformRole(name) ? <span className="muted">Platform</span> : 'Yours',
    },
    {
      id: 'may',
      head: 'May',
      cell: (role) => (
        <span className="badges">
          {flagWords
            .filter(({ flag, quiet }) => !quiet && role[flag])
            .map(({ flag, word, grave }) => (
              <Badge key={flag} tone={grave ? 'warning' : 'neutral'}>
                {word}
              </Badge>
            ))}
        </span>
      ),
    },
    {
      id: 'connections',
      head: 'Connections',
      numeric: true,
      width: '120px',
      sortBy: (role) => role.active_connections,
      cell: ({ active_connections: now, connection_limit: limit }) =>
        limit < 0 ? now : `${now} of ${limit}`,
    },
  ]
}

type GaugeProps = { server: DatabaseServer; roles: readonly Role[] }

/** How many of the server's connections are in use, and whose they are. */
function ConnectionsGauge({ server, roles }: GaugeProps) {
  const { connections, max_connections: max, reserved_connections: reserved } = server
  const percent = (connections / max) * 100
  const busiest = roles
    .filter((role) => role.active_connections > 0)
    .toSorted((a, b) => b.active_connections - a.active_connections)
    .slice(0, 4)
  return (
    <div className="card gauge">
      <div className="row">
        <b className="grow">
          {connections} of {max} connections
        </b>
        <span className="muted">{reserved} kept for the platform</span>
      </div>
      <Meter
        percent={percent}
        label="Connections in use"
        tone={percent > 90 ? 'danger' : percent > 75 ? 'warning' : 'success'}
      />
      <span className="muted">
        {busiest.map(({ name, active_connections: count }) => `${name} ${count}`).join(' · ')}
      </span>
    </div>
  )
}
