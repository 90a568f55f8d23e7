import { createFileRoute } from '@tanstack/react-router'
import { queryClient } from '../../../../api/client.ts'
import { thirdPartiesQuery } from '../../../../features/auth/third-party-auth/queries.ts'
import { ThirdPartyPage } from '../../../../features/auth/third-party-auth/ThirdPartyPage.tsx'

export const Route = createFileRoute('/_app/project/$ref/auth/third-party')({
  staticData: {
    feature: 'authentication:third_party_auth',
    title: 'Third-party auth',
    withoutDatabase: true,
  },
  loader: ({ params: { ref } }) => {
    void queryClient.prefetchQuery(thirdPartiesQuery(ref))
  },
  component: Page,
})

function Page() {
  return <ThirdPartyPage projectRef={Route.useParams().ref} />
}
