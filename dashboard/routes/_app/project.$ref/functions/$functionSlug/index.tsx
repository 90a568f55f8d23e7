import { createFileRoute, Navigate } from '@tanstack/react-router'

/** A function begins with its code. */
export const Route = createFileRoute('/_app/project/$ref/functions/$functionSlug/')({
  component: Page,
})

function Page() {
  const { ref, functionSlug } = Route.useParams()
  return (
    <Navigate
      to="/project/$ref/functions/$functionSlug/code"
      params={{ ref, functionSlug }}
      replace
    />
  )
}
