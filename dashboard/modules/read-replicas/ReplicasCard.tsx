import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Copy, Plus } from 'lucide-react'
import { useState } from 'react'
import { formatRate } from '#contract/billing/money'
import type { Endpoint, Output } from '#contract/endpoint'
import { computeSizes, hourlyRate } from '#contract/projects/compute-sizes'
import {
  maxReplicas,
  mayHaveReplicas,
  replicas,
  smallestReplicaSize,
  type Replica,
  type Replicas,
} from '#contract/projects/replicas'
import { projects } from '#contract/projects/projects'
import { useCall } from '../../api/client.ts'
import { useDisabledFeatures } from '../../session/identity/profile.ts'
import { useDenials } from '../../session/organization/permissions.ts'
import { projectQuery, useProject } from '../../session/project/project.ts'
import { replicasQuery } from '../../session/project/replicas.ts'
import { Card } from '../../ui/Card.tsx'
import { Button, buttonClass } from '../../ui/controls/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ConfirmDialog } from '../../ui/floats/ConfirmDialog.tsx'
import { toast } from '../../ui/floats/toast.ts'
import { Table } from '../../ui/lists/Table.tsx'
import { counted, bytesText } from '../../ui/text/number.ts'
import { replicaColumns, type Deed } from './replica-columns.tsx'

type Doing = { deed: 'create'; replica?: undefined } | { deed: Deed; replica: Replica }

/** Copies of a project's database that take reads: deployed, watched, restarted and dropped. */
export function ReplicasCard({ projectRef }: { projectRef: string }) {
  const off = useDisabledFeatures()
  return off('infrastructure:read_replicas') ? null : <OpenCard projectRef={projectRef} />
}

function OpenCard({ projectRef }: { projectRef: string }) {
  const query = useQuery(replicasQuery(projectRef))
  const project = useProject(projectRef)
  const { status } = useSuspenseQuery(projectQuery(projectRef)).data
  const denied = useDenials(project)
  const [doing, setDoing] = useState<Doing>()
  const close = () => setDoing(undefined)
  const create = useReplicaCall(replicas.create, () => {
    toast.success('The replica is being made')
    close()
  })
  const restart = useReplicaCall(replicas.restart, ({ identifier }) => {
    toast.success(`${identifier} is being restarted`)
    close()
  })
  const remove = useReplicaCall(replicas.remove, ({ identifier }) => {
    toast.success(`${identifier} is being dropped`)
    close()
  })
  const promote = useReplicaCall(
    replicas.promote,
    ({ identifier }) => {
      toast.success(`${identifier} is being promoted`)
      close()
    },
    projects.detail,
  )
  const begin = (next: Doing) => {
    for (const one of [create, restart, promote, remove]) one.reset()
    setDoing(next)
  }
  const { data } = query
  const deploy = (
    <Button
      icon={Plus}
      disabledReason={denied(replicas.create) ?? (data ? lackOf(data) : 'Wait for the list')}
      onClick={() => begin({ deed: 'create' })}
    >
      Deploy replica
    </Button>
  )
  const empty =
    data?.plan === 'free' ? (
      <div className="row">
        {deploy}
        <Link
          className={buttonClass({})}
          to="/org/$slug/billing"
          params={{ slug: project.organizationSlug }}
        >
          See plans
        </Link>
      </div>
    ) : (
      deploy
    )
  const hasSome = data !== undefined && data.replicas.length > 0
  return (
    <Card title="Read replicas" padded={false} end={hasSome ? deploy : undefined}>
      <Table
        label="Read replicas"
        columns={replicaColumns({
          projectRef,
          why: (deed) => denied(replicas[deed]),
          onDeed: (deed, replica) => begin({ deed, replica }),
        })}
        rows={data?.replicas}
        keyOf={({ identifier }) => identifier}
        rowHeight={60}
        error={query.error}
        onRetry={() => void query.refetch()}
        empty={
          <EmptyState icon={Copy} title="No read replica" action={empty}>
            A replica follows this database and takes reads, so that heavy queries do not slow down
            writes. {data && priceOf(data)}
          </EmptyState>
        }
      />
      {doing?.deed === 'create' && data && (
        <ConfirmDialog
          open
          danger={false}
          title="Deploy a read replica?"
          verb="Deploy replica"
          error={create.error?.message}
          pending={create.isPending}
          onClose={close}
          onConfirm={() => create.mutate({ ref: projectRef })}
        >
          <p>
            The database is copied while it runs, and the copy follows it from then on. It has the
            same passwords and network restrictions. {priceOf(data)}
          </p>
          <p>
            Requests to the Data API read from it when they send the header{' '}
            <code className="mono">Prefer: read=replica</code>.
          </p>
        </ConfirmDialog>
      )}
      {doing?.deed === 'restart' && (
        <ConfirmDialog
          open
          danger={false}
          title={`Restart ${doing.replica.identifier}?`}
          verb="Restart replica"
          error={restart.error?.message}
          pending={restart.isPending}
          onClose={close}
          onConfirm={() =>
            restart.mutate({ ref: projectRef, identifier: doing.replica.identifier })
          }
        >
          <p>Its connections end. The database itself and other replicas go on.</p>
        </ConfirmDialog>
      )}
      {doing?.deed === 'promote' && (
        <PromoteDialog
          replica={doing.replica}
          isPrimaryUp={status === 'ACTIVE_HEALTHY'}
          error={promote.error?.message}
          pending={promote.isPending}
          onClose={close}
          onConfirm={(force) =>
            promote.mutate({ ref: projectRef, identifier: doing.replica.identifier, force })
          }
        />
      )}
      {doing?.deed === 'remove' && (
        <ConfirmDialog
          open
          title={`Drop ${doing.replica.identifier}?`}
          verb="Drop replica"
          error={remove.error?.message}
          pending={remove.isPending}
          onClose={close}
          onConfirm={() => remove.mutate({ ref: projectRef, identifier: doing.replica.identifier })}
        >
          <p>
            Programs that connect to it are cut off, and its connection string stops working. No
            data is lost: the database itself has all of it.
          </p>
        </ConfirmDialog>
      )}
    </Card>
  )
}

/** Why no further one can be deployed. */
function lackOf({ available, plan, size, replicas: all }: Replicas): string | undefined {
  if (!available) return 'The operator of this database decides about copies of it'
  if (plan === 'free') return 'Read replicas are available on the Pro plan and above'
  if (!mayHaveReplicas(size))
    return `Read replicas need ${computeSizes[smallestReplicaSize].label} compute or larger`
  const most = maxReplicas(size)
  if (all.length < most) return undefined
  return `${computeSizes[size].label} compute can have up to ${counted(most, 'replica')}`
}

function priceOf(of: Replicas): string {
  const { plan, size } = of
  if (plan === 'free' || !mayHaveReplicas(size)) return `${lackOf(of) ?? ''}.`
  return `It costs as much as the compute of the project: ${formatRate(hourlyRate(plan, size))} an hour.`
}

/** A call that changes replicas, and these. */
function useReplicaCall<E extends Endpoint>(
  endpoint: E,
  onDone: (made: Output<E>) => void,
  ...others: Endpoint[]
) {
  return useCall(endpoint, { changes: [replicas.list, ...others], onSuccess: onDone })
}

type Props = {
  replica: Replica
  isPrimaryUp: boolean
  error: string | undefined
  pending: boolean
  onClose: () => void
  onConfirm: (force: boolean) => void
}

/** Asks before a replica takes the place of the primary: without loss while that runs, else by force. */
function PromoteDialog({ replica, isPrimaryUp, onConfirm, ...rest }: Props) {
  const { identifier, lag_bytes: lag } = replica
  return (
    <ConfirmDialog
      open
      title={`Promote ${identifier} to primary?`}
      verb="Promote to primary"
      danger={!isPrimaryUp}
      {...(isPrimaryUp ? {} : { typeName: identifier })}
      onConfirm={() => onConfirm(!isPrimaryUp)}
      {...rest}
    >
      {isPrimaryUp ? (
        <p>
          The project restarts on {identifier}, which takes a few seconds. No acknowledged write is
          lost: if {identifier} lacks any, the project goes on as it was.
        </p>
      ) : (
        <p>
          The primary does not answer, so {identifier} is promoted without it. Writes that{' '}
          {identifier} has not received are lost
          {lag === null ? '.' : `: ${bytesText(lag)} of the write-ahead log at the last look.`}
        </p>
      )}
      <p>
        Addresses, passwords and keys stay as they are. The present primary is removed, replication
        slots end, other replicas are copied anew, and point-in-time recovery begins again with the
        next backup.
      </p>
    </ConfirmDialog>
  )
}
