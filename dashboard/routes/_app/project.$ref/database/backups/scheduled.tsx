import { createFileRoute } from '@tanstack/react-router'
import { queryClient } from '../../../../../api/client.ts'
import { backupsQuery } from '../../../../../features/projects/backups/queries.ts'
import { ScheduledBackups } from '../../../../../features/projects/backups/ScheduledBackups.tsx'

export const Route = createFileRoute('/_app/project/$ref/database/backups/scheduled')({
  staticData: { title: 'Backups', withoutDatabase: true },
  loader: ({ params: { ref } }) => {
    void queryClient.prefetchQuery(backupsQuery(ref))
  },
  component: Page,
})

function Page() {
  const { ref } = Route.useParams()
  const navigate = Route.useNavigate()
  return (
    <ScheduledBackups
      projectRef={ref}
      onRestoring={() => void navigate({ to: '/project/$ref', params: { ref } })}
      onClone={(backup) =>
        void navigate({
          to: '/project/$ref/database/backups/restore-to-new-project',
          params: { ref },
          search: { backup: String(backup) },
        })
      }
    />
  )
}
