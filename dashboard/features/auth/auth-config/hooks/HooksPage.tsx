import { useSuspenseQuery } from '@tanstack/react-query'
import { ChevronRight } from 'lucide-react'
import { UnsavedGate } from '../../../../session/identity/unsaved.tsx'
import { Badge } from '../../../../ui/text/Badge.tsx'
import { Card } from '../../../../ui/Card.tsx'
import { Icon } from '../../../../ui/Icon.tsx'
import { Page, PageHead } from '../../../../ui/Page.tsx'
import { HookPanel } from './HookPanel.tsx'
import { hooks } from './hooks.ts'
import { authConfigQuery } from '../queries.ts'
import '../auth-config.css'

type Props = {
  projectRef: string
  /** The name of the hook whose panel is open. */
  open: string | undefined
  onOpen: (name: string | undefined) => void
}

/** /project/{ref}/auth/hooks: where the auth service asks the project before it goes on. */
export function HooksPage({ projectRef, open, onOpen }: Props) {
  const { data: config } = useSuspenseQuery(authConfigQuery(projectRef))
  const chosen = hooks.find(({ name }) => name === open)
  return (
    <UnsavedGate>
      <Page width="form">
        <PageHead
          title="Auth hooks"
          help="Run your own functions at certain points of the auth flow."
        />
        <Card padded={false}>
          <ul className="provider-list">
            {hooks.map(({ name, title, help, enabled, uri }) => (
              <li key={name}>
                <button type="button" className="provider-row tall" onClick={() => onOpen(name)}>
                  <span className="grow">
                    {title}
                    <span className="choice-help">
                      {config[uri] === '' ? (
                        help
                      ) : (
                        <span className="mono">{String(config[uri])}</span>
                      )}
                    </span>
                  </span>
                  <HookState isThere={config[uri] !== ''} isOn={config[enabled] === true} />
                  <Icon of={ChevronRight} size="s" />
                </button>
              </li>
            ))}
          </ul>
        </Card>
        {chosen && (
          <HookPanel
            key={chosen.name}
            projectRef={projectRef}
            hook={chosen}
            onClose={() => onOpen(undefined)}
          />
        )}
      </Page>
    </UnsavedGate>
  )
}

function HookState({ isThere, isOn }: { isThere: boolean; isOn: boolean }) {
  if (!isThere) return <Badge>Not set up</Badge>
  return isOn ? (
    <Badge tone="success" dot>
      Enabled
    </Badge>
  ) : (
    <Badge>Disabled</Badge>
  )
}
