import { createFileRoute } from '@tanstack/react-router'
import { queryClient } from '../../../../api/client.ts'
import { trashQuery } from '../../../../features/storage/storage/queries.ts'
import { trashParams } from '../../../../features/storage/storage/search.ts'
import { TrashPage } from '../../../../features/storage/storage/trash/TrashPage.tsx'

export const Route = createFileRoute('/_app/project/$ref/storage/trash')({
  staticData: { title: 'Trash' },
  validateSearch: trashParams,
  loaderDeps: ({ search }) => ({ filter: search }),
  loader: ({ params: { ref }, deps: { filter } }) =>
    void queryClient.prefetchInfiniteQuery(trashQuery(ref, filter)),
  component: Page,
})

function Page() {
  const navigate = Route.useNavigate()
  return (
    <TrashPage
      projectRef={Route.useParams().ref}
      filter={Route.useSearch()}
      onFilter={(next) => void navigate({ search: trashParams(next), replace: true })}
    />
  )
}
