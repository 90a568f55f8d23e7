import { FlaskConical, LockOpen, Plus, ShieldCheck, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { databasePolicies, type GuardedTable } from '#contract/database/database-policies'
import { secureTable } from '#contract/ddl/policies'
import { impersonation } from '#contract/data-api/impersonation'
import { pgMeta } from '#contract/database/pg-meta'
import { useDenials } from '../../../session/organization/permissions.ts'
import { isProtected } from '../../../modules/objects/protected-schemas.ts'
import { useReview } from '../../../modules/objects/ReviewChange.tsx'
import { useProject } from '../../../session/project/project.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { Badge } from '../../../ui/text/Badge.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { PolicyList, type Written } from './PolicyList.tsx'

type Props = {
  projectRef: string
  table: GuardedTable
  /** Why nothing can be changed here. */
  locked: string | undefined
  /** Left out where the tester has nothing to say. */
  onTest?: () => void
  /** What it means that there is no policy. */
  none?: string
}

/** One table: whether its rows are guarded, by which policies, and what is wrong with that. */
export function TableCard({ projectRef, table, locked, onTest, none }: Props) {
  const [written, setWritten] = useState<Written>()
  const why = useDenials(useProject(projectRef))
  const review = useReview(projectRef, databasePolicies.tables, pgMeta.entity, pgMeta.entities)
  const { name, schema, rls_enabled: on, policies } = table
  const setSecurity = () =>
    review.ask({
      change: secureTable({ schema, table: name }, !on),
      title: on ? 'Turn row level security off' : 'Turn row level security on',
      verb: on ? 'Turn it off' : 'Turn it on',
      danger: on,
      done: on ? 'Row level security is off' : 'Row level security is on',
      children: <Consequence table={table} />,
    })
  const empty = on
    ? 'No policies: requests of the data API see and change nothing here.'
    : 'No policies.'
  return (
    <section className="card policy-table" aria-label={name}>
      <header>
        <h2 className="ell mono">{name}</h2>
        {on ? (
          <Badge icon={ShieldCheck}>{table.rls_forced ? 'Also for the owner' : 'RLS on'}</Badge>
        ) : (
          <Badge tone="warning" icon={LockOpen}>
            RLS off
          </Badge>
        )}
        <div className="end">
          {onTest && (
            <Button
              icon={FlaskConical}
              variant="ghost"
              disabledReason={why(impersonation.users)}
              onClick={onTest}
            >
              Test
            </Button>
          )}
          {!isProtected(schema) && (on || table.reached_by.length === 0) && (
            <Button variant="ghost" disabledReason={locked} onClick={setSecurity}>
              {on ? 'Turn RLS off' : 'Turn RLS on'}
            </Button>
          )}
          <Button icon={Plus} disabledReason={locked} onClick={() => setWritten({})}>
            New policy
          </Button>
        </div>
      </header>
      <Warnings table={table} locked={locked} onSecure={setSecurity} />
      <PolicyList
        {...{ projectRef, table, policies, locked, review }}
        none={none ?? empty}
        written={written}
        onWrite={setWritten}
      />
    </section>
  )
}

type WarningProps = { table: GuardedTable; locked: string | undefined; onSecure: () => void }

function Warnings({ table, locked, onSecure }: WarningProps) {
  const { rls_enabled: on, reached_by: reached, policies } = table
  if (on || reached.length === 0) return null
  const who = reached.includes('anon')
    ? 'Anyone who has the public key can reach the rows of this table'
    : 'Every signed-in user can reach all rows of this table'
  return (
    <div className="policy-warning">
      <Alert
        variant="warning"
        icon={TriangleAlert}
        title={who}
        action={
          <Button disabledReason={locked} onClick={onSecure}>
            Turn RLS on
          </Button>
        }
      >
        {policies.length > 0
          ? 'Its policies do not apply while row level security is off.'
          : 'Row level security is off.'}
      </Alert>
    </div>
  )
}

function Consequence({
  table: { rls_enabled: on, policies, reached_by },
}: {
  table: GuardedTable
}) {
  if (on && reached_by.length > 0)
    return <p>Its policies no longer apply: {reached_by.join(' and ')} can reach all rows.</p>
  if (on) return <p>Its policies no longer apply.</p>
  return (
    <p>
      {policies.length === 0
        ? 'Without a policy, Data API requests will see no rows.'
        : 'Its policies then apply.'}
    </p>
  )
}
