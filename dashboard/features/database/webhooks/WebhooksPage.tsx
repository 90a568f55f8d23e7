import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { migrations } from '#contract/database/migrations'
import { CreateButton, ObjectPage } from '../../../modules/objects/ObjectPage.tsx'
import { useDenials } from '../../../session/organization/permissions.ts'
import { protection } from '../../../modules/objects/protected-schemas.ts'
import { useProject } from '../../../session/project/use-project.ts'
import { ErrorNote } from '../../../ui/ErrorNote.tsx'
import { Page } from '../../../ui/Page.tsx'
import { PageHead } from '../../../ui/PageHead.tsx'
import { EnableCard } from './EnableCard.tsx'
import { webhooksStateQuery } from './queries.ts'
import type { WebhookSearch } from './search.ts'
import { WebhookList } from './WebhookList.tsx'

type Props = {
  projectRef: string
  search: WebhookSearch
  onSearch: (search: WebhookSearch) => void
}

const title = 'Webhooks'
const help = 'Call a URL or an edge function when rows of a table change.'

/** /project/{ref}/database/hooks */
export function WebhooksPage(props: Props) {
  const state = useQuery(webhooksStateQuery(props.projectRef))
  if (state.data?.enabled) return <EnabledPage {...props} />
  return (
    <Page>
      <PageHead title={title} help={help} />
      {state.data && <EnableCard projectRef={props.projectRef} />}
      {state.error && !state.data && (
        <ErrorNote what={title} error={state.error} onRetry={() => void state.refetch()} />
      )}
    </Page>
  )
}

function EnabledPage({ projectRef, search, onSearch }: Props) {
  const { schema = 'public' } = search
  const [creating, setCreating] = useState(false)
  const why = useDenials(useProject(projectRef))
  const denied = why(migrations.change) ?? protection(schema)
  const create = (
    <CreateButton label="Create webhook" denied={denied} onCreate={() => setCreating(true)} />
  )
  return (
    <ObjectPage
      projectRef={projectRef}
      title={title}
      help={help}
      one="webhook"
      search={search}
      onSearch={onSearch}
      create={create}
    >
      <WebhookList
        projectRef={projectRef}
        search={search}
        onSearch={onSearch}
        denied={denied}
        create={create}
        creating={creating}
        onCreated={() => setCreating(false)}
      />
    </ObjectPage>
  )
}
