import { createFileRoute } from '@tanstack/react-router'
import { queryClient } from '../../../../api/client.ts'
import { usersQuery } from '../../../../features/auth/auth-users/queries.ts'
import { userParams } from '../../../../features/auth/auth-users/search.ts'
import { UsersPage } from '../../../../features/auth/auth-users/UsersPage.tsx'

export const Route = createFileRoute('/_app/project/$ref/auth/users')({
  staticData: { title: 'Users' },
  validateSearch: userParams,
  loaderDeps: ({ search: { user: _open, ...filter } }) => ({ filter }),
  loader: ({ params: { ref }, deps: { filter } }) =>
    void queryClient.prefetchQuery(usersQuery(ref, filter)),
  component: Page,
})

function Page() {
  const navigate = Route.useNavigate()
  return (
    <UsersPage
      projectRef={Route.useParams().ref}
      filter={Route.useSearch()}
      onFilter={(next) => void navigate({ search: userParams(next), replace: true })}
    />
  )
}
