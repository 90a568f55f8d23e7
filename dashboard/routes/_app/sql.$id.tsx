import { createFileRoute, redirect } from '@tanstack/react-router'
import { lastProject } from '../../features/database/sql-editor/snippets/last-query.ts'

/** The short address: a query of the project whose SQL editor was used last. */
export const Route = createFileRoute('/_app/sql/$id')({
  beforeLoad: ({ params: { id } }) => {
    const ref = lastProject()
    if (ref === undefined) throw redirect({ to: '/organizations' })
    throw redirect({ to: '/project/$ref/sql/$id', params: { ref, id }, replace: true })
  },
})
