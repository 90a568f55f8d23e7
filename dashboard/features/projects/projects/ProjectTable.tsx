import { Link } from '@tanstack/react-router'
import { computeSizes } from '#contract/projects/compute-sizes'
import type { ProjectListItem } from '#contract/projects/projects'
import { statusView } from '../../../session/project/project-status.ts'
import { Status } from '../../../ui/text/Status.tsx'
import { type Column, Table } from '../../../ui/lists/Table.tsx'
import { Time } from '../../../ui/text/Time.tsx'
import { postgresLabel } from '../../../session/project/postgres-label.ts'
import { placeOf } from '../../../session/project/regions.ts'

const columns: Column<ProjectListItem>[] = [
  {
    id: 'name',
    head: 'Name',
    sortBy: ({ name }) => name,
    cell: ({ ref, name }) => (
      <Link className="cover med" to="/project/$ref" params={{ ref }}>
        {name}
      </Link>
    ),
  },
  {
    id: 'status',
    head: 'Status',
    sortBy: ({ status }) => statusView(status).label,
    cell: ({ status }) => {
      const { label, tone } = statusView(status)
      return <Status tone={tone}>{label}</Status>
    },
  },
  {
    id: 'region',
    head: 'Region',
    wideOnly: true,
    sortBy: ({ region }) => placeOf(region),
    cell: ({ region }) => (
      <>
        {placeOf(region)} <span className="mono faint">{region}</span>
      </>
    ),
  },
  {
    id: 'compute',
    head: 'Compute',
    wideOnly: true,
    sortBy: ({ infra_compute_size: size }) => computeSizes[size].memoryGb,
    cell: ({ infra_compute_size: size }) => computeSizes[size].label,
  },
  {
    id: 'version',
    head: 'Version',
    wideOnly: true,
    sortBy: ({ dbVersion }) => postgresLabel(dbVersion),
    cell: ({ dbVersion }) => postgresLabel(dbVersion),
  },
  {
    id: 'created',
    head: 'Created',
    numeric: true,
    wideOnly: true,
    sortBy: ({ inserted_at }) => Date.parse(inserted_at),
    cell: ({ inserted_at }) => (
      <span className="faint">
        <Time at={inserted_at} />
      </span>
    ),
  },
]

/** The list as a table; undefined while loading. */
export function ProjectTable({ projects }: { projects: readonly ProjectListItem[] | undefined }) {
  return (
    <div className="card">
      <Table
        label="Projects"
        columns={columns}
        rows={projects}
        keyOf={({ ref }) => ref}
        empty={null}
      />
    </div>
  )
}
