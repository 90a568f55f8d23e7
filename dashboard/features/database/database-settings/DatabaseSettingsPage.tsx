import type { ReactNode } from 'react'
import { Page } from '../../../ui/Page.tsx'
import { PageHead } from '../../../ui/PageHead.tsx'
import { ConnectionCard } from './ConnectionCard.tsx'
import { ParametersCard } from './ParametersCard.tsx'
import { SslCard } from './SslCard.tsx'
import '../../../ui/lists/list-page.css'

type Props = {
  projectRef: string
  search: string
  onSearch: (search: string) => void
  /** The card that changes the password; undefined where the platform does not keep it. */
  password: ReactNode
}

/** /project/{ref}/database/settings */
export function DatabaseSettingsPage({ projectRef, search, onSearch, password }: Props) {
  return (
    <Page width="list">
      <PageHead
        title="Database settings"
        help="Connection details, the password and Postgres parameters."
      />
      <div className="sections">
        <ConnectionCard projectRef={projectRef} />
        {password}
        <SslCard projectRef={projectRef} />
        <ParametersCard projectRef={projectRef} search={search} onSearch={onSearch} />
      </div>
    </Page>
  )
}
