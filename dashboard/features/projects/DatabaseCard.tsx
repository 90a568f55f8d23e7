import type { Project } from '#contract/projects'
import { Card } from '../../ui/Card.tsx'
import { CopyText } from '../../ui/CopyText.tsx'
import { connectionString } from './connection-string.ts'

/** The address of the Postgres server itself. */
export function DatabaseCard({ project }: { project: Project }) {
  return (
    <Card title="Connect to the database">
      <div className="labelled">
        <span>
          Connection string
          <span className="muted">Put in the password you chose for this project.</span>
        </span>
        <CopyText text={connectionString(project)} what="connection string" />
      </div>
    </Card>
  )
}
