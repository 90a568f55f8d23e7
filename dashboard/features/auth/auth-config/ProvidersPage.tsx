import { useSuspenseQuery } from '@tanstack/react-query'
import { ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { useDisabledFeatures } from '../../../session/identity/profile.ts'
import { UnsavedGate } from '../../../session/identity/unsaved.tsx'
import { Badge } from '../../../ui/text/Badge.tsx'
import { Card } from '../../../ui/Card.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import { Page } from '../../../ui/Page.tsx'
import { PageHead } from '../../../ui/PageHead.tsx'
import { ProviderMark } from '../../../ui/text/ProviderMark.tsx'
import { SearchField } from '../../../ui/controls/SearchField.tsx'
import { signUps } from './pages-access.ts'
import { ProviderPanel } from './ProviderPanel.tsx'
import { providers } from './providers.ts'
import { authConfigQuery } from './queries.ts'
import { SettingsCard } from './SettingsCard.tsx'
import './auth-config.css'

type Props = {
  projectRef: string
  /** The id of the provider whose panel is open. */
  open: string | undefined
  onOpen: (id: string | undefined) => void
}

/** /project/{ref}/auth/providers: who may sign up, and every way to sign in. */
export function ProvidersPage({ projectRef, open, onOpen }: Props) {
  const { data: config } = useSuspenseQuery(authConfigQuery(projectRef))
  const [find, setFind] = useState('')
  const off = useDisabledFeatures()
  const wanted = find.trim().toLowerCase()
  const found = providers.filter(({ title }) => title.toLowerCase().includes(wanted))
  const chosen = providers.find(({ id }) => id === open)
  return (
    <UnsavedGate>
      <Page width="form">
        <PageHead
          title="Sign in / Providers"
          help="Choose who can sign up and which sign-in methods they can use."
        />
        <div className="sections">
          <SettingsCard
            projectRef={projectRef}
            {...signUps}
            fields={signUps.fields.filter(
              ({ key }) =>
                key !== 'SECURITY_MANUAL_LINKING_ENABLED' ||
                !off('authentication:show_manual_linking'),
            )}
          />
          {!off('authentication:show_providers') && (
            <Card
              title="Providers"
              padded={false}
              end={<SearchField label="Find a provider" value={find} onChange={setFind} />}
            >
              <ul className="provider-list">
                {found.map(({ id, title, key }) => (
                  <li key={id}>
                    <button type="button" className="provider-row" onClick={() => onOpen(id)}>
                      <ProviderMark of={id} />
                      <span className="grow ell">{title}</span>
                      {config[key] === true ? (
                        <Badge tone="success" dot>
                          Enabled
                        </Badge>
                      ) : (
                        <Badge>Disabled</Badge>
                      )}
                      <Icon of={ChevronRight} size="s" />
                    </button>
                  </li>
                ))}
              </ul>
              {found.length === 0 && (
                <p className="provider-none muted">No provider has this name.</p>
              )}
            </Card>
          )}
        </div>
        {chosen && (
          <ProviderPanel
            key={chosen.id}
            projectRef={projectRef}
            provider={chosen}
            onClose={() => onOpen(undefined)}
          />
        )}
      </Page>
    </UnsavedGate>
  )
}
