import { useQuery } from '@tanstack/react-query'
import { databasePorts } from '#contract/database/database-ports'
import { q } from '../../api/client.ts'
import { Alert } from '../../ui/Alert.tsx'

/** Why the database cannot be reached at its port, where that is so. */
export function PortProblem({ projectRef }: { projectRef: string }) {
  const { data } = useQuery(q(databasePorts.get, { ref: projectRef }))
  if (!data?.problem) return null
  return (
    <Alert variant="warning" title="Direct connections are not possible at the moment">
      {data.problem}
    </Alert>
  )
}
