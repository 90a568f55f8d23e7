import { createFileRoute, Outlet, useMatches } from '@tanstack/react-router'
import { ProjectGate } from '../../features/projects/projects/ProjectGate.tsx'
import { readDisk } from '../../session/project/disk.ts'
import { loadProject } from '../../session/project/project.ts'

/** Around every page of a project: it exists, and its database can be used unless the page needs none. */
export const Route = createFileRoute('/_app/project/$ref')({
  loader: async ({ params, preload }) => {
    await Promise.all([loadProject(params.ref, { preload }), readDisk(params.ref)])
  },
  component: Page,
})

function Page() {
  const { ref } = Route.useParams()
  const always = useMatches().some((match) => match.staticData.withoutDatabase)
  return (
    <ProjectGate projectRef={ref} always={always}>
      <Outlet />
    </ProjectGate>
  )
}
