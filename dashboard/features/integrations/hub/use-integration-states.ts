import { useQuery } from '@tanstack/react-query'
import { webhooks } from '#contract/integrations/webhooks'
import { q } from '../../../api/client.ts'
import type { Integration } from '../../../modules/integrations/catalogue.ts'
import { extensionsQuery } from '../../../modules/objects/lists.ts'
import { integrationState, type IntegrationState } from './integration-state.ts'

/** Whether each integration works in this database. Webhooks are more than their extension, and are asked about by themselves. */
export function useIntegrationStates(projectRef: string) {
  const extensions = useQuery(extensionsQuery(projectRef))
  const hooks = useQuery(q(webhooks.state, { ref: projectRef }))
  const error = extensions.data ? hooks.error : extensions.error
  return {
    extensions: extensions.data,
    error: extensions.data && hooks.data ? null : error,
    retry: () => void Promise.all([extensions.refetch(), hooks.refetch()]),
    /** Undefined while it is not known. */
    stateOf: (of: Integration): IntegrationState | undefined => {
      if (of.enabling === 'webhooks')
        return hooks.data && (hooks.data.enabled ? 'installed' : 'available')
      return extensions.data && integrationState(of, extensions.data)
    },
  }
}
