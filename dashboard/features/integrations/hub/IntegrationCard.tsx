import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { webhooks } from '#contract/integrations/webhooks'
import { q } from '../../../api/client.ts'
import {
  aboutAddress,
  pageAddress,
  type Integration,
} from '../../../modules/integrations/catalogue.ts'
import { extensionsQuery } from '../../../modules/objects/lists.ts'
import { Icon } from '../../../ui/Icon.tsx'
import { Badge } from '../../../ui/text/Badge.tsx'
import { integrationState, stateNames, works, type IntegrationState } from './integration-state.ts'

type Props = { projectRef: string; of: Integration; state: IntegrationState | undefined }

/** One of the catalogue. It leads to its page where it works, and to what it is where it does not yet. */
export function IntegrationCard({ projectRef, of, state }: Props) {
  const { name, icon, line } = of
  const isOn = state !== undefined && works(state)
  return (
    <li className="integration-card">
      <span className="integration-icon">
        <Icon of={icon} />
      </span>
      <div className="grow">
        <div className="row">
          <h3 className="grow">
            <Link className="cover" to={(isOn ? pageAddress : aboutAddress)(projectRef, of)}>
              {name}
            </Link>
          </h3>
          {state && <StateBadge state={state} />}
        </div>
        <p className="muted">{line}</p>
      </div>
    </li>
  )
}

export function StateBadge({ state }: { state: IntegrationState }) {
  switch (state) {
    case 'installed':
      return (
        <Badge tone="success" dot>
          {stateNames[state]}
        </Badge>
      )
    case 'always':
    case 'available':
      return <Badge dot>{stateNames[state]}</Badge>
    case 'operator':
    case 'absent':
      return <span className="faint t12">{stateNames[state]}</span>
  }
}

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
