import { createFileRoute } from '@tanstack/react-router'
import { api } from '#contract/api'
import { q, queryClient } from '../../../api/client.ts'
import { ProjectHomePage } from '../../../features/projects/ProjectHomePage.tsx'

export const Route = createFileRoute('/_app/project/$ref/')({
  staticData: { title: 'Home' },
  loader: ({ params }) => queryClient.prefetchQuery(q(api.projects.settings, params)),
  component: Page,
})

function Page() {
  return <ProjectHomePage projectRef={Route.useParams().ref} />
}
