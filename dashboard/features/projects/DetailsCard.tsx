import { computeSizes } from '#contract/compute-sizes'
import type { Project } from '#contract/projects'
import { Card } from '../../ui/Card.tsx'
import { Time } from '../../ui/Time.tsx'
import { postgresLabel } from './postgres-label.ts'
import { placeOf } from './regions.ts'

export function DetailsCard({ project }: { project: Project }) {
  // Of a database that its operator runs nothing of this is known.
  const hosted = project.cloud_provider !== 'localhost'
  const size = computeSizes[project.infra_compute_size]
  return (
    <Card title="Details" padded={false}>
      <dl className="details">
        {hosted && (
          <>
            <div>
              <dt>Region</dt>
              <dd>
                {placeOf(project.region)} <span className="mono faint">{project.region}</span>
              </dd>
            </div>
            <div>
              <dt>Compute</dt>
              <dd>
                {size.label} <span className="faint">{size.cpu}</span>
              </dd>
            </div>
            <div>
              <dt>Direct connections</dt>
              <dd>{size.directConnections}</dd>
            </div>
          </>
        )}
        <div>
          <dt>Database</dt>
          <dd>{postgresLabel(project.dbVersion)}</dd>
        </div>
        <div>
          <dt>Created</dt>
          <dd>
            <Time at={project.inserted_at} />
          </dd>
        </div>
      </dl>
    </Card>
  )
}
