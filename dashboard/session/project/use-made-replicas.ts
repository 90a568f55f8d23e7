import { useQuery } from '@tanstack/react-query'
import { useDisabledFeatures } from '../identity/profile.ts'
import { replicasQuery } from './replicas.ts'

/** The identifiers of the read replicas that can be read; none while that is not known. */
export function useMadeReplicas(ref: string): string[] {
  const isOff = useDisabledFeatures()('infrastructure:read_replicas')
  const { data } = useQuery({ ...replicasQuery(ref), enabled: !isOff })
  const made = data?.replicas.filter(({ status }) => status === 'ACTIVE_HEALTHY') ?? []
  return isOff ? [] : made.map(({ identifier }) => identifier)
}
