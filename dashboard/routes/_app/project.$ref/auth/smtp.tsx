import { createFileRoute } from '@tanstack/react-router'
import { queryClient } from '../../../../api/client.ts'
import { authConfigQuery } from '../../../../features/auth/auth-config/queries.ts'
import { SmtpPage } from '../../../../features/auth/auth-config/mails/SmtpPage.tsx'

export const Route = createFileRoute('/_app/project/$ref/auth/smtp')({
  staticData: { feature: 'authentication:emails', title: 'SMTP settings', withoutDatabase: true },
  loader: ({ params: { ref } }) => queryClient.ensureQueryData(authConfigQuery(ref)),
  component: Page,
})

function Page() {
  const { ref } = Route.useParams()
  return <SmtpPage projectRef={ref} />
}
