import { useQuery } from '@tanstack/react-query'
import { replicas, type Replica, type Replicas } from '#contract/projects/replicas'
import { q } from '../../api/client.ts'
import { useDisabledFeatures } from '../identity/profile.ts'

const busyMs = 1500
const quietMs = 10_000

/** Something is done to it, or it is on its way to where it should be. */
const isChanging = ({ status, state }: Replica): boolean =>
  status === 'ACTIVE_HEALTHY' ? state !== 'streaming' : status !== 'INIT_READ_REPLICA_FAILED'

/** The read replicas of a project; looked at more often while one of them changes. */
export const replicasQuery = (ref: string) => ({
  ...q(replicas.list, { ref }, 5000),
  refetchInterval: ({ state }: { state: { data?: Replicas | undefined } }) =>
    state.data?.replicas.some(isChanging) ? busyMs : quietMs,
})

/** The identifiers of the read replicas that can be read; none while that is not known. */
export function useMadeReplicas(ref: string): string[] {
  const isOff = useDisabledFeatures()('infrastructure:read_replicas')
  const { data } = useQuery({ ...replicasQuery(ref), enabled: !isOff })
  const made = data?.replicas.filter(({ status }) => status === 'ACTIVE_HEALTHY') ?? []
  return isOff ? [] : made.map(({ identifier }) => identifier)
}
