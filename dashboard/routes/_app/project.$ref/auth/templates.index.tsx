import { createFileRoute } from '@tanstack/react-router'
import { queryClient } from '../../../../api/client.ts'
import { authConfigQuery } from '../../../../features/auth/auth-config/queries.ts'
import { TemplatesPage } from '../../../../features/auth/auth-config/mails/TemplatesPage.tsx'

export const Route = createFileRoute('/_app/project/$ref/auth/templates/')({
  staticData: { feature: 'authentication:emails', title: 'Email templates', withoutDatabase: true },
  loader: ({ params: { ref } }) => queryClient.ensureQueryData(authConfigQuery(ref)),
  component: Page,
})

function Page() {
  const { ref } = Route.useParams()
  return <TemplatesPage projectRef={ref} />
}
