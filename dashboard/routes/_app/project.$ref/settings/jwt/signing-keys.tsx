import { createFileRoute } from '@tanstack/react-router'
import { queryClient } from '../../../../../api/client.ts'
import { signingKeysQuery } from '../../../../../features/projects/signing-keys/queries.ts'
import { SigningKeys } from '../../../../../features/projects/signing-keys/SigningKeys.tsx'

export const Route = createFileRoute('/_app/project/$ref/settings/jwt/signing-keys')({
  staticData: { title: 'JWT signing keys', withoutDatabase: true },
  loader: ({ params: { ref } }) => {
    void queryClient.prefetchQuery(signingKeysQuery(ref))
  },
  component: Page,
})

function Page() {
  return <SigningKeys projectRef={Route.useParams().ref} />
}
