import { createFileRoute } from '@tanstack/react-router'
import { queryClient } from '../../../api/client.ts'
import { factorsQuery, sessionsQuery, userQuery } from '../../../features/people/account/queries.ts'
import { SecurityPage } from '../../../features/people/account/SecurityPage.tsx'
import { recoveryCodesQuery } from '../../../session/identity/recovery-codes.ts'

export const Route = createFileRoute('/_app/account/security')({
  staticData: { feature: 'account:show_security_settings', title: 'Security' },
  loader: () =>
    Promise.all([
      queryClient.ensureQueryData(userQuery),
      queryClient.ensureQueryData(factorsQuery),
      queryClient.prefetchQuery(recoveryCodesQuery),
      queryClient.prefetchQuery(sessionsQuery),
    ]),
  component: SecurityPage,
})
