import { createFileRoute, Navigate } from '@tanstack/react-router'

/** A function begins with its code. */
export const Route = createFileRoute('/_app/project/$ref/functions/$slug/')({ component: Page })

function Page() {
  const { ref, slug } = Route.useParams()
  return <Navigate to="/project/$ref/functions/$slug/code" params={{ ref, slug }} replace />
}
