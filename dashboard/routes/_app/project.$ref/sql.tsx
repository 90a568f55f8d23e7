import { createFileRoute, Outlet, useParams } from '@tanstack/react-router'
import { SqlEditorPage } from '../../../features/database/sql-editor/SqlEditorPage.tsx'
import { loadSqlBox } from '../../../features/database/sql-editor/editor/SqlText.tsx'

/** The page is the frame of its own addresses, so that the editor stays when another query is opened. */
export const Route = createFileRoute('/_app/project/$ref/sql')({
  staticData: { title: 'SQL editor' },
  loader: ({ preload }) => {
    // Half a second of loading that need not wait for the page.
    if (!preload) void loadSqlBox().catch(() => undefined)
  },
  component: Page,
})

function Page() {
  const { ref } = Route.useParams()
  const { id } = useParams({ strict: false })
  return id === undefined ? <Outlet /> : <SqlEditorPage key={ref} projectRef={ref} queryId={id} />
}
