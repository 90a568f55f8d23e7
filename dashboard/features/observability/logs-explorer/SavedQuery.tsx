import { useQuery } from '@tanstack/react-query'
import { CallError } from '../../../api/client.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { ErrorNote } from '../../../ui/ErrorNote.tsx'
import { NotFound } from '../../../ui/NotFound.tsx'
import { Page, PageHead } from '../../../ui/Page.tsx'
import { ExplorerPage } from './ExplorerPage.tsx'
import type { ExplorerParams } from './explorer-params.ts'
import { savedQueryQuery } from './saved-queries.ts'

type Props = {
  projectRef: string
  params: ExplorerParams & { saved: string }
  onParams: (params: ExplorerParams) => void
}

/** The explorer with a query that somebody has saved. */
export function SavedQuery({ projectRef, params, onParams }: Props) {
  const query = useQuery(savedQueryQuery(projectRef, params.saved))
  if (query.data) return <ExplorerPage saved={query.data} {...{ projectRef, params, onParams }} />
  if (!query.error) return <Page>{null}</Page>
  if (query.error instanceof CallError && [400, 404].includes(query.error.code))
    return <NotFound action={<Button onClick={() => onParams({})}>Open the explorer</Button>} />
  return (
    <Page>
      <PageHead title="Logs explorer" />
      <ErrorNote what="The query" error={query.error} onRetry={() => void query.refetch()} />
    </Page>
  )
}
