import { createFileRoute, redirect } from '@tanstack/react-router'
import { lastTableProject } from '../../features/database/table-editor/entities/last-table.ts'

/** The short address: a table of the project whose table editor was used last. */
export const Route = createFileRoute('/_app/editor/$id')({
  beforeLoad: ({ params: { id } }) => {
    const ref = lastTableProject()
    if (ref === undefined) throw redirect({ to: '/organizations' })
    throw redirect({ to: '/project/$ref/editor/$id', params: { ref, id }, replace: true })
  },
})
