import { createFileRoute } from '@tanstack/react-router'
import { queryClient } from '../../../../../api/client.ts'
import {
  backupsQuery,
  cloneableQuery,
  clonesQuery,
} from '../../../../../features/projects/backups/queries.ts'
import { RestoreToNewProject } from '../../../../../features/projects/backups/RestoreToNewProject.tsx'
import { textParams } from '../../../../../session/search-params.ts'

const readSearch = textParams('backup')

export const Route = createFileRoute('/_app/project/$ref/database/backups/restore-to-new-project')({
  staticData: {
    feature: 'database:restore_to_new_project',
    title: 'Restore to a new project',
    withoutDatabase: true,
  },
  validateSearch: readSearch,
  loader: ({ params: { ref } }) => {
    void queryClient.prefetchQuery(backupsQuery(ref))
    void queryClient.prefetchQuery(cloneableQuery(ref))
    void queryClient.prefetchQuery(clonesQuery(ref))
  },
  component: Page,
})

function Page() {
  const { ref } = Route.useParams()
  const { backup } = Route.useSearch()
  return <RestoreToNewProject projectRef={ref} backup={backup} />
}
