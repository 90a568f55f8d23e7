import { Link, useLocation } from '@tanstack/react-router'
import { TabNav } from '../../ui/navigation/Tabs.tsx'
import { aboutAddress, integrationAt, pageAddress } from './catalogue.ts'
import './integrations.css'

/** Above the pages of an integration: its own page, and what it is. Nothing where the address is of none. */
export function IntegrationStrip({ projectRef }: { projectRef: string }) {
  const found = integrationAt(useLocation().pathname)
  if (!found) return null
  const { name, page } = found
  return (
    <div className="integration-strip">
      <TabNav label={name}>
        <Link to={pageAddress(projectRef, found)} activeOptions={{ includeSearch: false }}>
          {page.name}
        </Link>
        <Link to={aboutAddress(projectRef, found)}>Overview</Link>
      </TabNav>
    </div>
  )
}
