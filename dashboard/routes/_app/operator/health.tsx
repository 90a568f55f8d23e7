import { createFileRoute } from '@tanstack/react-router'
import { queryClient } from '../../../api/client.ts'
import { HealthPage } from '../../../features/operations/installation/HealthPage.tsx'
import { healthQuery } from '../../../features/operations/installation/queries.ts'
import { isOperator } from '../../../session/identity/profile.ts'

export const Route = createFileRoute('/_app/operator/health')({
  staticData: { title: 'Health' },
  loader: () => void (isOperator() && queryClient.prefetchQuery(healthQuery)),
  component: HealthPage,
})
