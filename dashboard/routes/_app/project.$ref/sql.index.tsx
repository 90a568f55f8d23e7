import { createFileRoute, redirect } from '@tanstack/react-router'
import { lastQuery } from '../../../features/database/sql-editor/snippets/last-query.ts'

/** Goes on where one was, or begins. */
export const Route = createFileRoute('/_app/project/$ref/sql/')({
  beforeLoad: ({ params: { ref } }) => {
    throw redirect({
      to: '/project/$ref/sql/$id',
      params: { ref, id: lastQuery(ref) ?? 'new' },
      replace: true,
    })
  },
})
