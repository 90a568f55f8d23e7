import { createFileRoute } from '@tanstack/react-router'
import { documents } from '#contract/organizations/documents'
import { q, queryClient } from '../../../../api/client.ts'
import { DocumentsPage } from '../../../../features/organizations/documents/DocumentsPage.tsx'

export const Route = createFileRoute('/_app/org/$slug/_settings/documents')({
  staticData: { feature: 'organization:show_legal_documents', title: 'Legal documents' },
  // What fails here is shown in the page, with a way to try again.
  loader: ({ params: { slug } }) => queryClient.prefetchQuery(q(documents.list, { slug })),
  component: Page,
})

function Page() {
  const { slug } = Route.useParams()
  return <DocumentsPage slug={slug} />
}
