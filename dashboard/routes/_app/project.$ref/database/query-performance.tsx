import { createFileRoute, redirect } from '@tanstack/react-router'

/** Where the page was before it became one of the advisors. */
export const Route = createFileRoute('/_app/project/$ref/database/query-performance')({
  beforeLoad: ({ params: { ref } }) => {
    throw redirect({
      to: '/project/$ref/advisors/query-performance',
      params: { ref },
      replace: true,
    })
  },
})
