import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { queryClient } from '../../../api/client.ts'
import { userQuery, soleOwnershipsQuery } from '../../../features/people/account/queries.ts'
import { ProfilePage } from '../../../features/people/account/ProfilePage.tsx'

export const Route = createFileRoute('/_app/account/me')({
  staticData: { title: 'Profile' },
  loader: () =>
    Promise.all([
      queryClient.ensureQueryData(userQuery),
      queryClient.fetchQuery(soleOwnershipsQuery),
    ]),
  component: Page,
})

function Page() {
  const navigate = useNavigate()
  return <ProfilePage onDeleted={() => void navigate({ to: '/logout' })} />
}
