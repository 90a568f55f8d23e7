import { pgMeta } from '#contract/database/pg-meta'
import { webhooks as endpoints } from '#contract/integrations/webhooks'
import { forget, useCall } from '../../../api/client.ts'
import { useDenials } from '../../../session/organization/permissions.ts'
import { useProject } from '../../../session/project/project.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { forgetCalls } from './queries.ts'

/** Those of an earlier version go on; what this version adds comes when somebody says so, as it changes the database. */
export function OutdatedNote({ projectRef }: { projectRef: string }) {
  const why = useDenials(useProject(projectRef))
  const enable = useCall(endpoints.enable, {
    onSuccess: async () => {
      toast.success('Webhooks are up to date')
      await Promise.all([forgetCalls(), forget(pgMeta.schemas)])
    },
  })
  return (
    <div className="webhook-outdated">
      <Alert variant="warning" title="Webhooks of this database are of an earlier version">
        <div className="stack">
          <p>
            They go on calling. Updating adds the list of calls, retries, signatures and pausing. It
            creates the extension <code>pg_net</code> from the schema <code>net</code>, and keeps
            calls that wait.
          </p>
          {enable.error && <p className="webhook-error">{enable.error.message}</p>}
          <div className="row">
            <Button
              variant="primary"
              busy={enable.isPending}
              disabledReason={why(endpoints.enable)}
              onClick={() => enable.mutate({ ref: projectRef })}
            >
              Update webhooks
            </Button>
          </div>
        </div>
      </Alert>
    </div>
  )
}
