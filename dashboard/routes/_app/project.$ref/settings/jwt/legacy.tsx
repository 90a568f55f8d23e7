import { createFileRoute } from '@tanstack/react-router'
import { queryClient } from '../../../../../api/client.ts'
import { LegacySecret } from '../../../../../features/projects/signing-keys/LegacySecret.tsx'
import { signingKeysQuery } from '../../../../../features/projects/signing-keys/queries.ts'

export const Route = createFileRoute('/_app/project/$ref/settings/jwt/legacy')({
  staticData: {
    feature: 'project_settings:legacy_jwt_keys',
    title: 'Legacy JWT secret',
    withoutDatabase: true,
  },
  loader: ({ params: { ref } }) => {
    void queryClient.prefetchQuery(signingKeysQuery(ref))
  },
  component: Page,
})

function Page() {
  return <LegacySecret projectRef={Route.useParams().ref} />
}
