import { createFileRoute, redirect } from '@tanstack/react-router'
import { queryClient } from '../../../../api/client.ts'
import { mailTemplates } from '../../../../features/auth/auth-config/mails/mail-kinds.ts'
import { authConfigQuery } from '../../../../features/auth/auth-config/queries.ts'
import { TemplatePage } from '../../../../features/auth/auth-config/mails/TemplatePage.tsx'

const templateOf = (kind: string) => mailTemplates.find((template) => template.kind === kind)

export const Route = createFileRoute('/_app/project/$ref/auth/templates/$kind')({
  staticData: { feature: 'authentication:emails', title: 'Email template', withoutDatabase: true },
  loader: ({ params: { ref, kind } }) => {
    if (!templateOf(kind)) throw redirect({ to: '/project/$ref/auth/templates', params: { ref } })
    return queryClient.ensureQueryData(authConfigQuery(ref))
  },
  component: Page,
})

function Page() {
  const { ref, kind } = Route.useParams()
  const template = templateOf(kind)
  return template && <TemplatePage key={kind} projectRef={ref} template={template} />
}
