import { createFileRoute } from '@tanstack/react-router'

/** An address only: the page around it shows the query. */
export const Route = createFileRoute('/_app/project/$ref/sql/$id')({
  component: () => null,
})
