import { useQuery } from '@tanstack/react-query'
import { Webhook } from 'lucide-react'
import { pgMeta } from '#contract/database/pg-meta'
import { webhooks as endpoints } from '#contract/integrations/webhooks'
import { queryClient, useCall } from '../../../api/client.ts'
import { ObjectsPage } from '../../../modules/objects/list/ObjectsPage.tsx'
import { useDenials } from '../../../session/organization/permissions.ts'
import { useProject } from '../../../session/project/project.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorNote } from '../../../ui/ErrorNote.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { Page, PageHead } from '../../../ui/Page.tsx'
import { webhooksStateQuery } from './queries.ts'
import { webhooks } from './webhooks.tsx'

/** /project/{ref}/integrations/webhooks: the list once they are enabled, and how they are before. */
export function WebhooksPage({ projectRef }: { projectRef: string }) {
  const { data, error, refetch } = useQuery(webhooksStateQuery(projectRef))
  if (data?.enabled) return <ObjectsPage of={webhooks} />
  return (
    <Page>
      <PageHead title={webhooks.title} help={webhooks.help} />
      {data && <EnableCard projectRef={projectRef} />}
      {error && !data && (
        <ErrorNote what={webhooks.title} error={error} onRetry={() => void refetch()} />
      )}
    </Page>
  )
}

/** What webhooks are, and what it takes to have them. */
function EnableCard({ projectRef }: { projectRef: string }) {
  const why = useDenials(useProject(projectRef))
  const enable = useCall(endpoints.enable, {
    changes: [pgMeta.schemas],
    onSuccess: (state) => {
      queryClient.setQueryData(webhooksStateQuery(projectRef).queryKey, state)
      toast.success('Webhooks enabled')
    },
  })
  return (
    <div className="card">
      <EmptyState
        icon={Webhook}
        title="Webhooks are not enabled yet"
        action={
          <Button
            variant="primary"
            busy={enable.isPending}
            disabledReason={why(endpoints.enable)}
            onClick={() => enable.mutate({ ref: projectRef })}
          >
            Enable webhooks
          </Button>
        }
      >
        A webhook calls a URL, or an edge function of this project, each time rows of a table are
        inserted, updated or deleted. Enabling them creates the extension <code>pg_net</code> and
        the schema <code>supabase_functions</code> in this database.
      </EmptyState>
      {enable.error && <Alert variant="danger" title={enable.error.message} />}
    </div>
  )
}
