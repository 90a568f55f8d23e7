import { createFileRoute } from '@tanstack/react-router'
import { queryClient } from '../../../api/client.ts'
import { AlertsPage } from '../../../features/operations/installation/AlertsPage.tsx'
import {
  alertSettingsQuery,
  alertsQuery,
} from '../../../features/operations/installation/queries.ts'
import { isOperator } from '../../../session/identity/profile.ts'

export const Route = createFileRoute('/_app/operator/alerts')({
  staticData: { title: 'Alerts' },
  loader: () => {
    if (!isOperator()) return
    void queryClient.prefetchQuery(alertsQuery)
    void queryClient.prefetchQuery(alertSettingsQuery)
  },
  component: AlertsPage,
})
