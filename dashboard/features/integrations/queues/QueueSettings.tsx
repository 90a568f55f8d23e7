import { Link } from '@tanstack/react-router'
import { Fragment } from 'react'
import {
  queuePrivileges,
  queueRoles,
  queues,
  queueTables,
  type QueueDetail,
  type QueueGrant,
} from '#contract/integrations/queues'
import { forget } from '../../../api/client.ts'
import { useDenials } from '../../../session/organization/permissions.ts'
import { useDatabaseCall } from '../../../session/project/database.ts'
import { useProject } from '../../../session/project/project.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { Card } from '../../../ui/Card.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { Checkbox } from '../../../ui/controls/Checkbox.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { counted } from '../../../ui/text/number.ts'
import { ofQueues } from './queries.ts'
import { RlsBadge } from './queue-columns.tsx'

type Props = { projectRef: string; queue: QueueDetail }

/** Who reaches the messages of a queue. */
export function QueueSettings({ projectRef, queue }: Props) {
  const denied = useDenials(useProject(projectRef))
  const secure = useDatabaseCall(queues.secure, {
    changes: ofQueues,
    onSuccess: ({ rls }) => {
      toast.success(`Row level security is ${rls ? 'enabled' : 'disabled'}`)
    },
  })
  const { name, rls, policies, partitions } = queue
  const open = !rls && queue.grants.some(({ role }) => role !== 'service_role')
  return (
    <div className="sections queue-settings">
      <Card padded={false}>
        <div className="set-row">
          <div className="grow">
            <b>Row level security</b> <RlsBadge rls={rls} />
            <p>
              {rls
                ? 'anon and authenticated reach only the messages that a policy allows.'
                : 'A role that is granted access reaches every message.'}{' '}
              The queue and its archive have{' '}
              {policies === 0 ? 'no policies yet' : counted(policies, 'policy', 'policies')}.{' '}
              <Link
                className="link"
                to="/project/$ref/database/policies"
                params={{ ref: projectRef }}
                search={{ schema: 'pgmq', find: name.toLowerCase() }}
              >
                Edit policies
              </Link>
            </p>
          </div>
          <Button
            variant={rls ? 'secondary' : 'primary'}
            busy={secure.isPending}
            disabledReason={denied(queues.secure)}
            onClick={() => secure.mutate({ ref: projectRef, name, rls: !rls })}
          >
            {rls ? 'Disable' : 'Enable'}
          </Button>
        </div>
        {(open || secure.error) && (
          <div className="pad queue-below">
            {secure.error ? (
              <Alert variant="danger" title={secure.error.message} />
            ) : (
              <Alert variant="warning" title="Anyone with a key can reach every message">
                Roles of your API have access and no policy limits it. Enable row level security.
              </Alert>
            )}
          </div>
        )}
      </Card>
      <GrantsTable
        projectRef={projectRef}
        queue={queue}
        roles={queueRoles}
        tables={queueTables}
        privileges={queuePrivileges}
      />
      {partitions && (
        <Card title="Partitions">
          <dl className="defs">
            <dt>Interval</dt>
            <dd>{rangeText(partitions.interval)}</dd>
            <dt>Retention</dt>
            <dd>{rangeText(partitions.retention)}</dd>
          </dl>
        </Card>
      )}
    </div>
  )
}

const rangeText = (text: string): string =>
  /^\d+$/.test(text) ? counted(Number(text), 'message') : text

type GrantsTableProps = {
  projectRef: string
  queue: QueueDetail
  roles: readonly QueueGrant['role'][]
  tables: readonly QueueGrant['table'][]
  privileges: readonly QueueGrant['privilege'][]
}

const words = { queue: 'Queue', archive: 'Archive' }

/** Which role may do what with the tables of a queue. A tick is a grant at once. */
function GrantsTable({ projectRef, queue, roles, tables, privileges }: GrantsTableProps) {
  const why = useDenials(useProject(projectRef))(queues.grant)
  const grant = useDatabaseCall(queues.grant, { onSettled: () => forget(...ofQueues) })
  const has = (one: QueueGrant) =>
    queue.grants.some(
      ({ role, table, privilege }) =>
        role === one.role && table === one.table && privilege === one.privilege,
    )
  const exists = { queue: queue.table_id !== null, archive: queue.archive_id !== null }
  return (
    <Card title="Grants" padded={false}>
      <div className="queue-grants">
        <table className="tbl" aria-label="Grants">
          <thead>
            <tr>
              <th scope="col">Role</th>
              <th scope="col">Table</th>
              {privileges.map((privilege) => (
                <th key={privilege} scope="col" className="mono">
                  {privilege}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {roles.map((role) => (
              <Fragment key={role}>
                {tables.map((table) => (
                  <tr key={table}>
                    <td className="mono">{role}</td>
                    <td>{words[table]}</td>
                    {privileges.map((privilege) => {
                      const one = { role, table, privilege }
                      return (
                        <td key={privilege}>
                          <Checkbox
                            hideLabel
                            label={`${role} may ${privilege} on the ${table}`}
                            checked={has(one)}
                            disabled={why !== undefined || grant.isPending || !exists[table]}
                            onChange={() =>
                              grant.mutate({
                                ref: projectRef,
                                name: queue.name,
                                ...one,
                                granted: !has(one),
                              })
                            }
                          />
                        </td>
                      )
                    })}
                  </tr>
                ))}
              </Fragment>
            ))}
          </tbody>
        </table>
      </div>
      <div className="pad">
        {grant.error && <Alert variant="danger" title={grant.error.message} />}
        {why && <p className="muted">{why}</p>}
        <p className="muted t12">
          Sending needs select and insert. Reading needs select and update, deleting and pop need
          select and delete. Archiving needs select and delete on the queue, and select and insert
          on the archive.
        </p>
      </div>
    </Card>
  )
}
