import type { ReactNode } from 'react'
import { UnsavedGate } from '../../../session/identity/unsaved.tsx'
import { Page } from '../../../ui/Page.tsx'
import { PageHead } from '../../../ui/PageHead.tsx'
import { protection, secondFactors, sessions } from './pages-access.ts'
import { oauthServer, passkeys } from './pages-keys.ts'
import { addresses, performance, rates } from './pages.ts'
import { SettingsCard } from './SettingsCard.tsx'

const pages = {
  addresses: {
    title: 'URL configuration',
    help: 'Where users are sent after they sign in or follow a link.',
    groups: addresses,
  },
  rates: {
    title: 'Rate limits',
    help: 'Limit auth requests to prevent abuse.',
    groups: rates,
  },
  performance: {
    title: 'Performance',
    help: 'Limit what one request and the whole auth service can use.',
    groups: performance,
  },
  factors: {
    title: 'Multi-factor',
    help: 'Factors that users can add to their password or link.',
    groups: secondFactors,
  },
  sessions: {
    title: 'Sessions',
    help: 'How long users stay signed in.',
    groups: sessions,
  },
  protection: {
    title: 'Attack protection',
    help: 'Keep bots and leaked passwords out.',
    groups: protection,
  },
  passkeys: {
    title: 'Passkeys',
    help: 'Let users sign in with a key on their device instead of a password.',
    groups: passkeys,
  },
  oauthServer: {
    title: 'OAuth server',
    help: 'Let third-party apps act for your users.',
    groups: oauthServer,
  },
}

type Props = {
  projectRef: string
  page: keyof typeof pages
  /** What belongs to the page besides its settings. */
  children?: ReactNode
}

/** A page of settings of the auth service. */
export function SettingsPage({ projectRef, page, children }: Props) {
  const { title, help, groups } = pages[page]
  return (
    <UnsavedGate>
      <Page width="form">
        <PageHead title={title} help={help} />
        <div className="sections">
          {groups.map((group) => (
            <SettingsCard key={group.title} projectRef={projectRef} {...group} />
          ))}
          {children}
        </div>
      </Page>
    </UnsavedGate>
  )
}
