import { Link } from '@tanstack/react-router'
import {
  aboutAddress,
  pageAddress,
  type Integration,
} from '../../../modules/integrations/catalogue.ts'
import { Icon } from '../../../ui/Icon.tsx'
import { Badge } from '../../../ui/text/Badge.tsx'
import { stateNames, works, type IntegrationState } from './integration-state.ts'

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
