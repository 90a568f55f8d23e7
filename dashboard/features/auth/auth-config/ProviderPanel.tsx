import { useSuspenseQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { projectQuery } from '../../../session/project/project.ts'
import { CopyText } from '../../../ui/text/CopyText.tsx'
import type { Provider } from './providers.ts'
import { AskFirst } from './AskFirst.tsx'
import { GuardedPanel } from './GuardedPanel.tsx'
import type { SettingsGroup } from './setting-field.ts'
import { SettingFields } from './SettingFields.tsx'
import { useSettings } from './use-settings.ts'

type Props = { projectRef: string; provider: Provider; onClose: () => void }

/** What the provider on the other side has to know of this project, by the kind of provider. */
const addressesOf = (kind: Provider['addresses'], base: string) =>
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
  })[kind].map(({ path, ...words }) => ({ ...words, address: `${base}/auth/v1${path}` }))

/** The settings of one provider. */
export function ProviderPanel({ projectRef, provider, onClose }: Props) {
  const { data: project } = useSuspenseQuery(projectQuery(projectRef))
  return (
    <SettingsPanel projectRef={projectRef} {...provider} onClose={onClose}>
      {addressesOf(provider.addresses, project.endpoint).map(({ name, address, help }) => (
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
