import { createFileRoute } from '@tanstack/react-router'
import { queryClient } from '../../../api/client.ts'
import { TrashPage } from '../../../features/projects/trash/TrashPage.tsx'
import { trashQuery } from '../../../session/project/trash.ts'

export const Route = createFileRoute('/_app/org/$slug/trash')({
  staticData: { title: 'Deleted projects' },
  // What fails here is shown in the page, with a way to try again.
  loader: ({ params: { slug } }) => queryClient.prefetchInfiniteQuery(trashQuery(slug)),
  component: Page,
})

function Page() {
  const { slug } = Route.useParams()
  return <TrashPage key={slug} slug={slug} />
}
