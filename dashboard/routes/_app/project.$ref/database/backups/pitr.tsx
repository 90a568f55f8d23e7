import { createFileRoute } from '@tanstack/react-router'
import { queryClient } from '../../../../../api/client.ts'
import { PointInTime } from '../../../../../features/projects/backups/PointInTime.tsx'
import { backupsQuery } from '../../../../../features/projects/backups/queries.ts'

export const Route = createFileRoute('/_app/project/$ref/database/backups/pitr')({
  staticData: { title: 'Point in time recovery', withoutDatabase: true },
  loader: ({ params: { ref } }) => {
    void queryClient.prefetchQuery(backupsQuery(ref))
  },
  component: Page,
})

function Page() {
  const { ref } = Route.useParams()
  const navigate = Route.useNavigate()
  return (
    <PointInTime
      projectRef={ref}
      onRestoring={() => void navigate({ to: '/project/$ref', params: { ref } })}
    />
  )
}
