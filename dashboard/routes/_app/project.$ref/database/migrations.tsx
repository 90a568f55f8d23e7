import { createFileRoute } from '@tanstack/react-router'
import { queryClient } from '../../../../api/client.ts'
import { MigrationsPage } from '../../../../features/database/migrations/MigrationsPage.tsx'
import { migrationsQuery } from '../../../../features/database/migrations/queries.ts'

export const Route = createFileRoute('/_app/project/$ref/database/migrations')({
  staticData: { title: 'Migrations' },
  loader: ({ params: { ref } }) => queryClient.prefetchInfiniteQuery(migrationsQuery(ref)),
  component: Page,
})

function Page() {
  return <MigrationsPage projectRef={Route.useParams().ref} />
}
