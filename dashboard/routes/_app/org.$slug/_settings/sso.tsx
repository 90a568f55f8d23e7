import { createFileRoute } from '@tanstack/react-router'
import { queryClient } from '../../../../api/client.ts'
import { ssoQuery } from '../../../../features/organizations/sso/queries.ts'
import { SsoPage } from '../../../../features/organizations/sso/SsoPage.tsx'

export const Route = createFileRoute('/_app/org/$slug/_settings/sso')({
  staticData: { feature: 'organization:show_sso_settings', title: 'Single sign-on' },
  loader: ({ params: { slug } }) => queryClient.prefetchQuery(ssoQuery(slug)),
  component: Page,
})

function Page() {
  const { slug } = Route.useParams()
  return <SsoPage key={slug} slug={slug} />
}
