import { Fragment } from 'react'
import { queues, type QueueDetail, type QueueGrant } from '#contract/integrations/queues'
import { useDenials } from '../../../session/organization/permissions.ts'
import { useDatabaseCall } from '../../../session/project/database.ts'
import { useProject } from '../../../session/project/project.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { Card } from '../../../ui/Card.tsx'
import { Checkbox } from '../../../ui/controls/Checkbox.tsx'
import { forgetQueues } from './queries.ts'

type Props = {
  projectRef: string
  queue: QueueDetail
  roles: readonly QueueGrant['role'][]
  tables: readonly QueueGrant['table'][]
  privileges: readonly QueueGrant['privilege'][]
}

const words = { queue: 'Queue', archive: 'Archive' }

/** Which role may do what with the tables of a queue. A tick is a grant at once. */
export function GrantsTable({ projectRef, queue, roles, tables, privileges }: Props) {
  const why = useDenials(useProject(projectRef))(queues.grant)
  const grant = useDatabaseCall(queues.grant, { onSettled: forgetQueues })
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
