import { useSuspenseQuery } from '@tanstack/react-query'
import { ChevronRight } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import type { Project } from '#contract/projects/projects'
import { useDisabledFeatures } from '../../../session/identity/profile.ts'
import { UnsavedGate } from '../../../session/identity/unsaved.tsx'
import { Badge } from '../../../ui/text/Badge.tsx'
import { Card } from '../../../ui/Card.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import { Page, PageHead } from '../../../ui/Page.tsx'
import { ProviderMark } from '../../../ui/text/ProviderMark.tsx'
import { SearchField } from '../../../ui/controls/SearchField.tsx'
import { projectQuery } from '../../../session/project/project.ts'
import { CopyText } from '../../../ui/text/CopyText.tsx'
import { signUps } from './pages-access.ts'
import { type Provider, providers } from './providers.ts'
import { GuardedPanel } from './GuardedPanel.tsx'
import type { SettingsGroup } from './setting-field.ts'
import { AskFirst, SettingFields, SettingsCard } from './SettingFields.tsx'
import { useSettings } from './use-settings.ts'
import { authConfigQuery } from './queries.ts'
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
  const needle = find.trim().toLowerCase()
  const found = providers.filter(({ title }) => title.toLowerCase().includes(needle))
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

type ProviderPanelProps = { projectRef: string; provider: Provider; onClose: () => void }

/**
 * What the provider on the other side has to know of this project, by the kind of provider. Identity providers know it by the address
 * that always works, so that a custom hostname ends no connection.
 */
const addressesOf = (kind: Provider['addresses'], { endpoint, public_url }: Project) =>
  ({
    callback: [
      { name: 'Callback URL (for OAuth)', path: '/callback', help: 'Enter it at the provider.' },
    ],
    saml: [
      { name: 'Metadata URL and entity ID', path: '/sso/saml/metadata', help: undefined },
      {
        name: 'ACS URL',
        path: '/sso/saml/acs',
        help: 'Where identity providers send users back.',
      },
    ],
    none: [],
  })[kind].map(({ path, ...words }) => ({
    ...words,
    address: `${kind === 'saml' ? endpoint : public_url}/auth/v1${path}`,
  }))

/** The settings of one provider. */
function ProviderPanel({ projectRef, provider, onClose }: ProviderPanelProps) {
  const { data: project } = useSuspenseQuery(projectQuery(projectRef))
  return (
    <SettingsPanel projectRef={projectRef} {...provider} onClose={onClose}>
      {addressesOf(provider.addresses, project).map(({ name, address, help }) => (
        <div className="labelled" key={name}>
          <span>{name}</span>
          <CopyText text={address} what={name} />
          {help && <p className="muted t12">{help}</p>}
        </div>
      ))}
    </SettingsPanel>
  )
}

type SettingsPanelProps = SettingsGroup & {
  projectRef: string
  onClose: () => void
  /** Below the fields, as an address to copy. */
  children?: ReactNode
}

/** Settings in a panel over the page. */
function SettingsPanel({ onClose, children, ...group }: SettingsPanelProps) {
  const { projectRef, title } = group
  const settings = useSettings({ ...group, onSaved: onClose })
  const { dirty, pending, reason, error, submit, cancel } = settings
  return (
    <>
      <GuardedPanel
        title={title}
        dirty={dirty}
        pending={pending}
        reason={reason}
        error={error}
        onSubmit={submit}
        onCancel={cancel}
        onClose={onClose}
      >
        <SettingFields projectRef={projectRef} settings={settings} />
        {children}
      </GuardedPanel>
      <AskFirst settings={settings} />
    </>
  )
}
