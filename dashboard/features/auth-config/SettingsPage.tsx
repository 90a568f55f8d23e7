import { Page } from '../../ui/Page.tsx'
import { PageHead } from '../../ui/PageHead.tsx'
import { addresses, rates } from './pages.ts'
import { SettingsCard } from './SettingsCard.tsx'

const pages = {
  addresses: {
    title: 'URL configuration',
    help: 'Where people are led after they signed in or followed a link.',
    groups: addresses,
  },
  rates: {
    title: 'Rate limits',
    help: 'How often the auth service answers before it asks for patience.',
    groups: rates,
  },
}

type Props = { projectRef: string; page: keyof typeof pages }

/** A page of settings of the auth service. */
export function SettingsPage({ projectRef, page }: Props) {
  const { title, help, groups } = pages[page]
  return (
    <Page width="form">
      <PageHead title={title} help={help} />
      <div className="sections">
        {groups.map((group) => (
          <SettingsCard key={group.title} projectRef={projectRef} {...group} />
        ))}
      </div>
    </Page>
  )
}
